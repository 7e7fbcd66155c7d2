// Numbers that break programs: the edges of 64 bits, what a double cannot hold, and texts that are
// almost numbers. Through the parsers and through the ledger.

#include "mizan/money.hpp"

#include "prover/scenario.hpp"
#include "prover/scenarios/common.hpp"

#include <array>
#include <limits>
#include <string>

namespace mizan::prover {

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t beyond_double = (std::int64_t{1} << 53) + 1;

struct DecimalCase {
  std::string_view text;
  std::uint8_t exponent;
  std::optional<std::int64_t> units;
};

void parse_decimals(Run& run) {
  constexpr std::array<DecimalCase, 30> cases{{
      {"12.34", 2, 1234},
      {"0.01", 2, 1},
      {"10.0", 2, 1000},
      {"0", 2, 0},
      {"-1", 2, -100},
      {"100", 0, 100},     // JPY
      {"10.0", 0, {}},     // JPY has no decimals.
      {"1.234", 3, 1234},  // KWD
      {"1.2345", 3, {}},
      {"12.345", 2, {}},
      {"90071992547409.93", 2, beyond_double},
      {"92233720368547758.07", 2, most},
      {"92233720368547758.08", 2, {}},
      {"-92233720368547758.08", 2, least},
      {"-92233720368547758.09", 2, {}},
      {"9223372036854775807", 0, most},
      {"9223372036854775808", 0, {}},
      {"99999999999999999999999999", 2, {}},
      {"1e3", 2, {}},
      {"0100", 2, {}},
      {"007", 0, {}},
      {"+5", 2, {}},
      {".5", 2, {}},
      {"5.", 2, {}},
      {"0x10", 2, {}},
      {"NaN", 2, {}},
      {"1,000", 2, {}},
      {" 1", 2, {}},
      {"", 2, {}},
      {"-", 2, {}},
  }};
  for (const DecimalCase& each : cases) {
    const auto parsed = parse_decimal(each.text, each.exponent);
    const bool right = each.units ? parsed && *parsed == MinorUnits{*each.units} : !parsed;
    run.expect(right,
               "\"" + std::string(each.text) + "\" with exponent " + std::to_string(each.exponent) +
                   " was read as " +
                   (parsed ? std::to_string(parsed->value()) : std::string("nothing")));
    if (!parsed || !right) continue;
    const auto again = parse_decimal(format_decimal(*parsed, each.exponent), each.exponent);
    run.expect(again && *again == *parsed, "\"" + std::string(each.text) + "\" does not survive");
  }
}

void parse_minor(Run& run) {
  constexpr std::array<DecimalCase, 11> cases{{
      {"1234", 0, 1234},
      {"0", 0, 0},
      {"-5", 0, -5},
      {"9007199254740993", 0, beyond_double},
      {"9223372036854775807", 0, most},
      {"-9223372036854775808", 0, least},
      {"9223372036854775808", 0, {}},
      {"1e3", 0, {}},
      {"10.0", 0, {}},
      {"0100", 0, {}},
      {"", 0, {}},
  }};
  for (const DecimalCase& each : cases) {
    const auto parsed = parse_minor_units(each.text);
    const bool right = each.units ? parsed && *parsed == MinorUnits{*each.units} : !parsed;
    run.expect(right, "minor units \"" + std::string(each.text) + "\" were misread");
  }
}

void exponents(Run& run) {
  constexpr std::array<std::pair<std::string_view, std::uint8_t>, 5> table{
      {{"USD", 2}, {"JPY", 0}, {"KWD", 3}, {"IRR", 2}, {"EUR", 2}}};
  for (const auto& [code, exponent] : table) {
    const auto currency = find_iso_currency(CurrencyCode{code});
    run.expect(currency && currency->exponent == exponent,
               std::string(code) + " does not have " + std::to_string(exponent) + " decimals");
  }
}

void expect_answer(Run& run, Bench& bench, const Operation& operation, Code expected) {
  const Code actual = code_of_answer(bench.apply(ask(1, operation)));
  run.expect(actual == expected,
             operation.id.str() + " was answered " + std::string(to_string(actual)) +
                 ", expected " + std::string(to_string(expected)));
}

void ledger_edges(Run& run, Strategy strategy) {
  auto bench = open_bench(run, strategy);
  if (bench == nullptr || !set_up(run, *bench, {"a", "b", "full"}, 0)) return;
  const Status deep = bench->create_wallet("deep", "EUR", std::nullopt);
  run.expect(deep.has_value(), "a wallet without a limit could not be made");
  using testkit::deposit;
  using testkit::transfer;
  using testkit::withdraw;
  expect_answer(run, *bench, deposit("zero", "a", 0), Code::invalid_amount);
  expect_answer(run, *bench, deposit("minus", "a", -1), Code::invalid_amount);
  expect_answer(run, *bench, deposit("least", "a", least), Code::invalid_amount);
  expect_answer(run, *bench, transfer("nothing", "a", "b", 0), Code::invalid_amount);
  expect_answer(run, *bench, deposit("odd", "a", beyond_double), Code::applied);
  expect_answer(run, *bench, transfer("odd-on", "a", "b", beyond_double), Code::applied);
  expect_answer(run, *bench, withdraw("odd-out", "b", beyond_double), Code::applied);
  expect_answer(run, *bench, deposit("odd-in", "b", beyond_double), Code::applied);
  expect_answer(run, *bench, deposit("fill", "full", most), Code::applied);
  expect_answer(run, *bench, deposit("spill", "full", 1), Code::limit_exceeded);
  expect_answer(run, *bench, transfer("spill-on", "b", "full", 1), Code::limit_exceeded);
  expect_answer(run, *bench, withdraw("down", "deep", most), Code::applied);
  expect_answer(run, *bench, withdraw("down-one", "deep", 1), Code::applied);
  expect_answer(run, *bench, withdraw("down-too-far", "deep", 1), Code::limit_exceeded);
  judge_bench(run, to_string(strategy), *bench);
  const auto evidence = bench->collect();
  if (!evidence) return run.could_not_run(evidence.error());
  const std::array<std::int64_t, 4> expected{0, beyond_double, most, least};
  for (std::size_t index = 0; index < expected.size(); ++index) {
    const WalletImage& wallet = evidence->image.wallets.at(index);
    run.expect(
        wallet.balance == MinorUnits{expected.at(index)},
        "wallet " + wallet.id.str() + " ended with " + std::to_string(wallet.balance.value()));
  }
}

void run_numbers(Run& run) {
  parse_decimals(run);
  parse_minor(run);
  exponents(run);
  for (const Strategy strategy : run.strategies()) ledger_edges(run, strategy);
  run.contrast("through a double 9007199254740993 becomes 9007199254740992");
}

}  // namespace

Scenario numbers() {
  return {"numbers",
          "edges of 64 bits, 2^53+1, texts that are almost numbers, exponents",
          {{"through-double", "I5"}},
          run_numbers};
}

}  // namespace mizan::prover
