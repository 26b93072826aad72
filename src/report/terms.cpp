// The words of pages and what they mean, said where they occur.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "core/error.h"
#include "report/markup.h"
#include "report/page.h"

namespace equipoise {

namespace {

struct Term {
  const char *word, *meaning;
};

constexpr std::array kTerms = {
    Term{"arm", "one line of a table: a method on a base model, with what is fixed for it"},
    Term{"base", "the arm that fits the log as it is, without any correction; the others are compared with it"},
    Term{"base model",
         "how a score is computed from a user and an item: gmf (a product of embeddings) or mlp (a network)"},
    Term{"baseline", "a rule without training, such as popularity: what a method must beat to be worth its cost"},
    Term{"seed", "the number that names all random draws of a run; runs with other seeds show how much is luck"},
    Term{"95% interval",
         "where the true value would be in 95 of 100 repetitions with other users (and seeds, for differences); not "
         "corrected for how many arms there are"},
    Term{
        "Holm's correction",
        "makes p-values larger, so that among all tests of a table a wrong 'better' or 'worse' occurs in at most 5% of "
        "tables"},
    Term{"not told apart", "the difference may be chance; it does not say that there is none"},
    Term{"effect", "the difference divided by how much users differ from one another"},
    Term{"protocol",
         "which items a user's list is ranked among: those of the test part (test-items), those and sampled ones "
         "(sampled), or the whole catalogue (full)"},
    Term{"valid", "the part of the data that chooses settings and epochs; test is read once, at the end"},
    Term{"epoch", "one pass over the training rows"},
    Term{"calibration", "whether what is predicted with probability p comes true in a share p of the cases"},
    Term{"coverage", "share of all items that are recommended to anybody"},
    Term{"gini", "how unequally recommendations are spread over items: 0 equally, 1 all on one item"},
    Term{"mean popularity", "how many training rows a recommended item has, on average"},
    Term{"imbalance",
         "how different the users shown one item are from those shown another: mean squared distance between them over "
         "the variance of a row"},
    Term{"by chance", "the imbalance of as many users drawn at random: at or below it there is none left to remove"},
    Term{"setting", "values for the parameters that a search may choose"},
    Term{"fingerprint", "a number made of all ids, features and rows: equal data, equal fingerprint"},
    Term{"exposure", "which items users were shown; a log is biased where that was not at random"},
    Term{"propensity", "the chance that a user is shown an item; weights are made of it"},
    Term{"effective sample", "how many rows of equal weight would tell as much as the weighted ones"},
    Term{"p-value", "how often chance alone gives a value at least as extreme"},
    Term{"rule of thumb", "an advice that follows from the tests by experience, not by a test of its own"},
    Term{"policy", "a way to choose what is shown: a model and how lists are made of its scores"},
    Term{"direct", "the value that a model of rewards predicts; wrong where that model is"},
    Term{"ips", "rewards of the log, weighted by how much more likely the policy shows them; unbiased, and noisy"},
    Term{"snips", "ips divided by the sum of its weights: less noise, a small bias"},
    Term{"dr", "direct, corrected by the weighted errors of the reward model: right if either of the two is"},
    Term{"switch-dr", "dr that leaves rows with a very large weight to the reward model"},
    Term{"mean weight", "near 1 where the log could have shown all that the policy shows"},
};

}  // namespace

std::string terms_html(const std::vector<std::string>& words) {
  std::string list, meanings;
  for (const std::string& word : words) {
    const auto term = std::find_if(kTerms.begin(), kTerms.end(), [&](const Term& t) { return word == t.word; });
    EQUIPOISE_ASSERT(term != kTerms.end());
    list += (list.empty() ? "" : ", ") + word;
    meanings += fmt::format("<dt>{}</dt><dd>{}</dd>\n", html_text(word), html_text(term->meaning));
  }
  return fmt::format("<details class=\"terms\"><summary>What is meant: {}</summary>\n<dl>\n{}</dl>\n</details>\n",
                     html_text(list), meanings);
}

}  // namespace equipoise
