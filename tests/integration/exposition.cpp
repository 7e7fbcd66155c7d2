#include "exposition.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <optional>
#include <regex>
#include <set>
#include <utility>

namespace mizan::integration {
namespace {

/// "le" apart, the labels of a bucket are those of its histogram.
struct Sample {
  std::string name;
  std::string labels;  ///< With the braces; empty where there are none.
  double value = 0;
};

class Reader {
 public:
  Exposition read(std::string_view text) {
    if (text.empty() || text.back() != '\n') problem("the last line has no end", text);
    while (!text.empty()) {
      const std::size_t end = std::min(text.find('\n'), text.size() - 1);
      read_line(std::string(text.substr(0, end)));
      text.remove_prefix(end + 1);
    }
    end_family();
    return std::move(result_);
  }

 private:
  void problem(std::string_view what, std::string_view line) {
    result_.problems.push_back(std::string(what) + ": " + std::string(line.substr(0, 200)));
  }

  void read_line(const std::string& line) {
    static const std::regex head("# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (\\S.*)");
    static const std::regex sample(
        "([a-zA-Z_:][a-zA-Z0-9_:]*)"
        "(\\{[a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\\]|\\\\[\\\\\"n])*\""
        "(,[a-zA-Z_][a-zA-Z0-9_]*=\"([^\"\\\\]|\\\\[\\\\\"n])*\")*\\})? (\\S+)");
    std::smatch match;
    if (std::regex_match(line, match, head)) {
      if (match[1] == "HELP") return begin_family(match[2]);
      return read_type(match[2], match[3]);
    }
    if (!std::regex_match(line, match, sample)) return problem("neither comment nor sample", line);
    read_sample({match[1], match[2], number(match[6], line)}, line);
  }

  double number(const std::string& text, std::string_view line) {
    if (text == "+Inf") return std::numeric_limits<double>::infinity();
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (end != text.c_str() + text.size()) problem("not a number", line);
    return value;
  }

  void begin_family(const std::string& name) {
    end_family();
    family_ = name;
    if (!families_.insert(name).second) problem("a family in two places", name);
    if (name.rfind("mizan_", 0) != 0) problem("a name without its program", name);
  }

  void read_type(const std::string& name, const std::string& type) {
    static const std::set<std::string> known{"counter", "gauge", "histogram"};
    if (name != family_) problem("a type without its help", name);
    if (known.count(type) == 0) problem("no type", type);
    if (!result_.types.emplace(name, type).second) problem("two types", name);
    const bool ends_in_total = name.size() > 6 && name.compare(name.size() - 6, 6, "_total") == 0;
    if (ends_in_total != (type == "counter")) problem("only counters, and all, are totals", name);
    static const std::regex unit(
        ".*_(ms|us|ns|millis.*|micro.*|nano.*|minutes|kb|mb|percent)(_.*)?");
    if (std::regex_match(name, unit)) problem("not in base units", name);
  }

  void read_sample(const Sample& sample, const std::string& line) {
    if (!result_.samples.emplace(sample.name + sample.labels, sample.value).second) {
      problem("a sample twice", line);
    }
    const auto type = result_.types.find(family_);
    if (type == result_.types.end()) return problem("a sample without its type", line);
    if (sample.value < 0) problem("below zero", line);
    if (type->second != "histogram") {
      if (sample.name != family_) problem("a sample of another family", line);
      return;
    }
    read_part(sample, line);
  }

  void read_part(const Sample& sample, const std::string& line) {
    if (sample.name == family_ + "_sum") {
      sums_.insert(sample.labels);
    } else if (sample.name == family_ + "_count") {
      const auto last = buckets_.find(sample.labels);
      const bool is_whole = last != buckets_.end() && last->second.value == sample.value &&
                            last->second.bound == std::numeric_limits<double>::infinity();
      if (!is_whole) problem("the count is not that of the last bucket, +Inf", line);
      counts_.insert(sample.labels);
    } else if (sample.name == family_ + "_bucket") {
      read_bucket(sample, line);
    } else {
      problem("no part of a histogram", line);
    }
  }

  void read_bucket(const Sample& sample, const std::string& line) {
    static const std::regex bound(R"((\{|,)le="([^"]*)\"\}$)");
    std::smatch match;
    if (!std::regex_search(sample.labels, match, bound))
      return problem("a bucket without le", line);
    std::string labels = match.prefix();
    if (!labels.empty()) labels += "}";
    const Bucket bucket{number(match[2], line), sample.value};
    const auto [last, is_first] = buckets_.emplace(labels, bucket);
    if (is_first) return;
    if (bucket.bound <= last->second.bound) problem("bounds that do not grow", line);
    if (bucket.value < last->second.value) problem("buckets that are not cumulative", line);
    last->second = bucket;
  }

  void end_family() {
    for (const auto& [labels, bucket] : buckets_) {
      if (sums_.count(labels) == 0) problem("no sum", family_ + labels);
      if (counts_.count(labels) == 0) problem("no count", family_ + labels);
    }
    buckets_.clear();
    sums_.clear();
    counts_.clear();
  }

  struct Bucket {
    double bound = 0;
    double value = 0;
  };

  Exposition result_;
  std::string family_;
  std::set<std::string> families_;
  std::map<std::string, Bucket> buckets_;  // The last one, by the labels of the histogram.
  std::set<std::string> sums_;
  std::set<std::string> counts_;
};

}  // namespace

double Exposition::value(const std::string& sample) const {
  const auto found = samples.find(sample);
  return found == samples.end() ? 0 : found->second;
}

Exposition read_exposition(std::string_view text) {
  return Reader().read(text);
}

}  // namespace mizan::integration
