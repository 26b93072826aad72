// Draws charts of named rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "report/chart.h"
#include "report/chart_marks.h"
#include "report/chart_scale.h"
#include "report/markup.h"

namespace equipoise {

namespace {

constexpr double kTop = 8, kFoot = 40, kStar = 22;

std::pair<double, double> range_of(const RowChart& chart) {
  ChartRange range;
  for (const RowChart::Row& row : chart.rows) {
    for (const RowChart::Mark& mark : row.marks) {
      if (!mark.outside) range.add(mark.value), range.add(mark.low), range.add(mark.high);
    }
  }
  if (chart.zero || chart.bars) range.add(0);
  return range.get();
}

// Where a chart's parts are. Where there is little room and rows have figures, names and figures are above the bars.
struct RowFrame {
  ChartRoom room;
  double width, row_height, names = 10, texts = 14;
  std::size_t longest_name;
  bool stacked;

  RowFrame(const RowChart& chart, ChartRoom where)
      : room(where),
        width(width_of(where)),
        row_height(where == ChartRoom::wide ? 26 : 24),
        longest_name(where == ChartRoom::wide ? 36 : 26) {
    double name = 0, text = 0;
    for (const RowChart::Row& row : chart.rows) {
      name = std::max(name, text_width(shortened(row.name, longest_name)) + (row.first ? kStar : 0));
      text = std::max(text, text_width(row.text));
    }
    stacked = where == ChartRoom::narrow || (where == ChartRoom::half && name + text > 0.65 * width);
    if (stacked) {
      row_height = 46;
      return;
    }
    names = name + 20;
    texts = text > 0 ? text + 20 : 14;
  }

  // As many as have room for their texts.
  int ticks() const { return std::clamp(static_cast<int>((width - names - texts) / 75), 2, 7); }
  double middle(std::size_t row) const {
    return kTop + row_height * (static_cast<double>(row) + (stacked ? 0.62 : 0.5));
  }
  double text_line(std::size_t row) const {
    return stacked ? kTop + row_height * static_cast<double>(row) + 15 : middle(row) + 4;
  }
};

std::string note_of(const RowChart::Row& row, const RowChart::Mark& mark) {
  return mark.note.empty() ? row.name + ": " + sized_text(mark.value) : mark.note;
}

std::string arrow_svg(const RowChart::Mark& mark, double y, const ChartScale& x) {
  const bool left = mark.value < x.low();
  const double tip = left ? x.from() + 2 : x.to() - 2, back = left ? tip + 10 : tip - 10;
  return fmt::format("<path class=\"mark\" d=\"M{} {}L{} {}L{} {}Z\"/>", pixels(tip), pixels(y), pixels(back),
                     pixels(y - 5), pixels(back), pixels(y + 5));
}

std::string draw(const RowChart& chart, const RowChart::Row& row, const RowChart::Mark& mark, double y,
                 const ChartScale& x) {
  if (!std::isfinite(mark.value)) return "";
  const std::string look = mark.tone == Tone::none ? style_class(mark.style) : tone_class(mark.tone);
  const double at = mark.outside ? std::clamp(x(mark.value), x.from(), x.to()) : x(mark.value);
  std::string out = fmt::format("<g class=\"{} point\" data-at=\"{} {}\"><title>{}</title>", look, pixels(at),
                                pixels(y), html_text(note_of(row, mark)));
  if (mark.outside) return out + arrow_svg(mark, y, x) + "</g>";
  if (chart.bars) {
    out += fmt::format("<path class=\"block\" d=\"M{0} {2}H{1}V{3}H{0}Z\"/>", pixels(x(0)), pixels(x(mark.value)),
                       pixels(y - 6), pixels(y + 6));
    return out + "</g>";
  }
  if (std::isfinite(mark.low) && std::isfinite(mark.high)) {
    out += line_svg("bar", x(mark.low), y, x(mark.high), y);
    for (const double end : {mark.low, mark.high}) out += line_svg("bar", x(end), y - 4, x(end), y + 4);
  }
  const bool toned = mark.tone != Tone::none;
  return out + (toned ? tone_marker_svg(mark.tone, x(mark.value), y) : marker_svg(mark.style, x(mark.value), y)) +
         "</g>";
}

std::string name_of(const RowFrame& f, const RowChart::Row& row, double y, double x) {
  const std::string text = shortened(row.name, f.longest_name);
  const char* look = row.first ? "name first" : "name";
  if (f.stacked) {
    return (row.first ? star_svg(x + 5, y - 4) : "") + text_svg(look, "start", x + (row.first ? 14 : 0), y, text);
  }
  return (row.first ? star_svg(x - 1.08 * text_width(text) - 10, y - 4) : "") + text_svg(look, "end", x, y, text);
}

}  // namespace

std::string row_chart_svg(const RowChart& chart, ChartRoom room) {
  const RowFrame f(chart, room);
  const double bottom = kTop + f.row_height * static_cast<double>(chart.rows.size());
  const ChartScale x(range_of(chart), {f.names, f.width - f.texts}, f.ticks());
  std::string out = svg_head(room, bottom + kFoot, chart.title,
                             fmt::format("{} of each of {} rows", chart.x_label, chart.rows.size()));
  out += x_axis_svg(x, kTop, bottom);
  if (chart.zero || chart.bars) out += line_svg("axis", x(0), kTop, x(0), bottom) + "\n";
  const double half = text_width(chart.x_label) / 2;  // the text must not run out of the picture
  const double middle = std::max(half + 2, std::min((x.from() + x.to()) / 2, f.width - half - 2));
  out += text_svg("label", "middle", middle, bottom + kFoot - 6, chart.x_label) + "\n";
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    const RowChart::Row& row = chart.rows[r];
    out += name_of(f, row, f.text_line(r), f.stacked ? f.names : x.from() - 10);
    if (!row.text.empty()) {
      out += text_svg(row.first ? "name first" : "name", "end", f.stacked ? x.to() : f.width - 6, f.text_line(r),
                      row.text);
    }
    for (const RowChart::Mark& mark : row.marks) out += draw(chart, row, mark, f.middle(r), x);
    out += "\n";
  }
  return out + "</svg>\n";
}

}  // namespace equipoise
