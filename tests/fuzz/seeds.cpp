// Writes the inputs that fuzzing begins from, made by the tests' generators and our own writers: seeds FOLDER.
#include <fmt/format.h>
#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/file.h"
#include "data/dataset_cache.h"
#include "fuzz/memory_files.h"
#include "fuzz/targets.h"
#include "logs.h"
#include "recommender/model_file.h"
#include "stopping.h"
#include "train/trainer.h"

namespace equipoise::fuzz {
namespace {

class Seeds {
 public:
  explicit Seeds(std::string folder) : folder_(std::move(folder)) {}

  void add(const std::string& target, const std::string& bytes) {
    std::filesystem::create_directories(join_path(folder_, target));
    std::ofstream(join_path(folder_, fmt::format("{}/seed{:03}", target, ++count_)), std::ios::binary) << bytes;
  }

 private:
  std::string folder_;
  int count_ = 0;
};

std::string joined(const std::vector<std::string>& parts) {
  std::string out;
  for (const std::string& part : parts) out += (&part == parts.data() ? "" : std::string(1, kFileEnd)) + part;
  return out;
}

std::string gzip(std::string text) {
  z_stream stream{};
  deflateInit2(&stream, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  deflate(&stream, Z_FINISH);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

std::string zstd(const std::string& text) {
  std::string out(ZSTD_compressBound(text.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), text.data(), text.size(), 3));
  return out;
}

void add_config(Seeds& seeds) {
  TrainParams train;
  Params params;
  train.describe(params);
  const Recipe recipe("cbr", "mlp");
  for (const Json& config : {params.to_json(), recipe.params().to_json(), recipe.to_json()}) {
    seeds.add("config", "0" + config.dump(2));
    seeds.add("config", "1" + dump_toml(config));
  }
  seeds.add("config", R"(0[1, -2.5e3, "a\u00e9\n", null, true, {"b": [[]]}])");
  seeds.add("config", "1a = 'x'\n[b.\"c d\"]\ne = [1, 2.5, inf]\n[[f]]\ng = \"\"\"\nh\\u00e9\"\"\"\n[[f]]\n");
}

void add_csv(Seeds& seeds) {
  const std::string plain = "user,item,label\nu1,i1,1\nu2,\"a, \"\"b\"\"\n c\",0\r\nü,i3,0.5\n\n";
  const std::string tabs = "1\t2\t3.0\n4\t5\t-1e-3\n";
  for (const char* format : {"@", "P"}) seeds.add("csv", format + plain);  // '@' & 31 = 0, 'P' & 16: no quotes
  for (const char* format : {"A", "I"}) seeds.add("csv", format + tabs);
  seeds.add("csv", "@\xef\xbb\xbf" + plain);
  seeds.add("csv", "@" + gzip(plain));
  seeds.add("csv", "@" + gzip(plain) + gzip(tabs));
  seeds.add("csv", "@" + zstd(plain));
  seeds.add("csv", "@" + zstd(plain) + zstd(plain));
  for (const char* end : {"\r", "\n\n", ";\n"}) {  // '`' & 32: as people write tables
    seeds.add("csv", "`user;item;label" + std::string(end) + "a;x;1,5" + end + "b;\"y\";0" + end);
  }
  seeds.add("csv", "\xa0" + std::string("\xff\xfeu\0,\0i\0\n\0a\0,\0x\0\n\0", 18));
}

Dataset small_dataset(bool features) {
  Dataset data = test::known_log(3, 7, 2, features);
  data.train.propensity.assign(data.train.size(), 0.25f);
  data.train.weight.assign(data.train.size(), 1.5f);
  data.test.timestamp.assign(data.test.size(), 881250949);
  data.provenance["source"] = "seeds";
  return data;
}

void add_dataset(Seeds& seeds) {
  for (const bool features : {false, true}) {
    const std::string path = memory_path("data");
    clear_folder(path);
    write_dataset(small_dataset(features), path);
    std::vector<std::string> parts;
    for (const std::string& name : dataset_files()) {
      const std::string file = join_path(path, name);
      parts.push_back(file_exists(file) ? read_file(file) : "");
    }
    seeds.add("dataset", joined(parts));
  }
}

void add_cache(Seeds& seeds) {
  Pool pool(1);
  const DatasetCache cache(kCacheKey, memory_path("cache"), pool);
  for (const bool features : {false, true}) {
    cache.save(small_dataset(features));
    seeds.add("cache", read_file(cache.path()));
  }
}

// One or two for each layout, in its order; the options are those of '@' (none) and '~' (most).
void add_importers(Seeds& seeds) {
  const std::string colons = "1::7::3::881250949\n1::8::1::881250950\n2::7::5::881250951\n";
  const std::vector<std::vector<std::string>> files = {
      {"1 0 5\n0 3 0\n2 0 4\n0 4 0\n", "0 4 5\n2 0 0\n0 1 0\n0 0 3\n",
       "0.1 0.2 0.3\n0.4 5e-1 0.6\n0.7 0.8 0.9\n1 0.25 0.5\n", "1 0 0 1\n0 1 0 0\n0 1 1 1\n1 0 1 0\n",
       "gender:men\ngender:women\nlikes:a:b\nlikes:over 60\n", "1 0\n0 1\n0 0\n", "type:fur\ntype:rain\n"},
      {"1\t14\t5\n1\t35\t1\n2\t46\t3\n", "1\t35\t1\n3\t49\t4\n2\t7\t2\n"},
      {"0.0,0.0,0.0,1.0\n0.0,2.0,1.0,1.0\n1.0,5.0,1.0,1.0\n1.0,3.0,0.0,0.0\n", "1.0,2.0,1.0,1.0\n0.0,2.0,1.0,1.0\n"},
      {"1\t7\t3\t881250949\n1\t8\t1\t881250950\n2\t7\t5\t881250951\n"},
      {colons},
      {"userId,movieId,rating,timestamp\n1,7,3.0,881250949\n1,8,1.0,881250950\n2,7,5.0,881250951\n"},
      {"A1,B1,5.0,1\nA2,B1,1.0,2\nA1,B1,2.0,3\n"},
      {"user_id,anime_id,rating\n1,20,-1\n1,24,10\n3,20,6\n"},
      {"user,item,label\na,x,1\nb,y,0\na,y,0\n"},
      {"user,item,label,p,w,t\na,x,1,0.5,1,7\nb,y,0,1,0,8\n", "user,item,label,p,w,t\nb,x,1,0.5,1,7\n",
       "user,item,label,p,w,t\na,y,0,0.5,1,7\n"},
      {"a\tx\t1\nb\ty\t0\n", "user\tage\ttags\na\t7\tp|q\nc\t\t\n", "item\ttags\tcolour\nx\tr\tred\n"},
      {"user_id:token\titem_id:token\trating:float\ttimestamp:float\nu1\ti1\t4\t1\nu2\ti2\t1\t2\n",
       "user_id:token\tage:float\tlikes:token_seq\nu1\t3\ta b\n",
       "item_id:token\tplace:float_seq\tkind:token\ni1\t0.5 -1\tx\ni2\t1 2\ty\n"},
      {"user,item\n1,7\n1,8\n2,7\n2,3\n", "user,item\n1,3\n2,4\n", "item,in_block,tags\n3,1,a|b\n4,1,\n7,0,c\n"},
      {" User ;item;label;t;n\na;x;1,0;2023-05-04;The "
       "\xe9\n\n;y;0;8;\nb;y;NA;9;z\nb;x;0;2023-05-04T10:11:12+02:00;\"q;\"\n",
       "item;n;kind\nx;Name;a\ny;;b\n"},
      {"user,item,label,\na,x,Yes,\nb,y,no,\na,y,1.0,\n"},
  };
  for (std::size_t k = 0; k < files.size(); ++k) {
    const std::string layout(1, static_cast<char>(k + 6 * import_layouts().size()));  // a readable first byte
    for (const char* options : {"@", "~"}) seeds.add("importers", layout + options + joined(files[k]));
  }
}

void add_model(Seeds& seeds, const std::string& method, const std::string& base, bool features) {
  const Dataset data = test::known_log(3, 7, 2, features);
  auto recipe = std::make_unique<Recipe>(method, base);
  make_small(*recipe);
  Recommender model(std::move(recipe), data, 1);
  model.recipe().method().read(data);
  seeds.add("model", ModelFile::pack(model).serialise());
}

// Every method, then what any of them may have: few and short, because reading one's header is most of the work.
void add_models(Seeds& seeds) {
  for (const MethodEntry& method : methods())
    add_model(seeds, method.name, method.make()->needs().base ? "gmf" : "", false);
  add_model(seeds, "base", "mlp", false);
  add_model(seeds, "base", "gmf", true);
}

void add_checkpoints(Seeds& seeds) {
  Pool pool(1);
  char number = '0';  // a multiple of the count of runs
  for (const CheckpointRun& run : checkpoint_runs()) {
    for (const std::int64_t stop : {1, 2, 4}) {
      test::Stopping stopping;
      TrainHooks hooks;
      hooks.checkpoint = memory_path("checkpoint");
      hooks.on_step = [&](std::int64_t step) { stopping.stop = step == stop; };
      const auto recommender = checkpoint_recommender(run);
      accepted([&] { Trainer(*recommender, checkpoint_data(), checkpoint_params(), pool, hooks).run(); });
      seeds.add("checkpoint", number + read_file(hooks.checkpoint));
    }
    ++number;
  }
}

void add_serve(Seeds& seeds) {
  const std::string list =
      R"({"requests":[{"user":"u","k":3,"candidates":["a"],"exclude":["b"],"filter":{"f":["x"]},"history":[{"item":"i","label":1}],"features":{"age":"3"},"explore":false,"include_seen":true,"model":"m"}]})";
  const std::string pairs = R"({"pairs":[{"user":"u","item":"i"}],"model":"m"})";
  const std::string feedback = R"({"feedback":[{"request_id":"0123-1-2","item":"i","label":0.5}]})";
  for (const std::string& body : {list, pairs, feedback}) {
    for (const char* route : {"0", "1", "2"}) seeds.add("body", route + body);
    seeds.add("http", fmt::format("\x1fPOST /v1/score HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n"
                                  "Content-Length: {}\r\n\r\n{}",
                                  body.size(), body));
  }
  seeds.add("http", "\x07GET /healthz HTTP/1.1\r\nHost: h\r\n\r\nHEAD / HTTP/1.0\r\n\r\n");
  seeds.add("http",
            "\x40POST /v1/feedback HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nTransfer-Encoding: chunked\r\n\r\n"
            "2\r\n{}\r\n0\r\nA: b\r\n\r\n");
  for (const char* target : {"/v1/recommend/u%201?k=5&explore=false&model=m", "/v1/similar/a%2Fb",
                             "/v1/users?find=x&limit=3", "/", "/v1/models/m/reload", "/metrics?#x"}) {
    seeds.add("query", target);
  }
  const std::string kinds[] = {
      R"(list","request":"r","user":"u","model":"m","fingerprint":"f","policy":"epsilon=0.1","eligible":5,"items":["a","b"],"given_above":[0.5,1],"at_place":[0.5,0.25],"in_list":[0.75,1e-9],"told":2,"until":7,"asked":{"exclude":["a"],"history":[{"item":"b","label":1}]}})",
      R"(feedback","request":"r","user":"u","item":"a","label":0.5})",
      R"(open","seed":"18446744073709551615","version":"0"})"};
  for (const std::string& kind : kinds) seeds.add("served", kind);
}

}  // namespace
}  // namespace equipoise::fuzz

int main(int argc, char** argv) {
  using namespace equipoise::fuzz;
  if (argc != 2) {
    fmt::print(stderr, "usage: seeds FOLDER\n");
    return 2;
  }
  std::filesystem::remove_all(argv[1]);
  Seeds seeds(argv[1]);
  for (const auto add :
       {add_config, add_csv, add_dataset, add_importers, add_models, add_checkpoints, add_cache, add_serve})
    add(seeds);
  return 0;
}
