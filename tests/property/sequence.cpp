#include "tests/property/sequence.hpp"

#include <limits>

namespace mizan::property {
namespace {

rc::Gen<std::uint8_t> below(int bound) {
  return rc::gen::cast<std::uint8_t>(rc::gen::inRange(0, bound));
}

/// Mostly amounts that can be afforded, some that are none, some at the end of the range.
rc::Gen<std::int64_t> any_amount() {
  constexpr std::int64_t max = std::numeric_limits<std::int64_t>::max();
  return rc::gen::weightedOneOf<std::int64_t>({{20, rc::gen::inRange<std::int64_t>(1, 40)},
                                               {1, rc::gen::inRange<std::int64_t>(-2, 1)},
                                               {1, rc::gen::element(max, max - 1, max / 2)}});
}

rc::Gen<Wish> any_wish() {
  return rc::gen::build<Wish>(rc::gen::set(&Wish::verb, below(12)),
                              rc::gen::set(&Wish::from, below(7)),
                              rc::gen::set(&Wish::to, below(7)),
                              rc::gen::set(&Wish::amount, any_amount()),
                              rc::gen::set(&Wish::refers_to, below(12)),
                              rc::gen::set(&Wish::twist, below(40)),
                              rc::gen::set(&Wish::more_legs, below(4)));
}

rc::Gen<Step> any_step() {
  return rc::gen::build<Step>(
      rc::gen::set(&Step::kind, below(12)),
      rc::gen::set(&Step::strategy, below(4)),
      rc::gen::set(&Step::ledger, below(2)),
      rc::gen::set(&Step::wallet, below(7)),
      rc::gen::set(&Step::wishes, rc::gen::container<std::vector<Wish>>(any_wish())));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Wish& wish) {
  return out << "{verb " << int{wish.verb} << ", " << int{wish.from} << "->" << int{wish.to} << ", "
             << wish.amount << ", refers to " << int{wish.refers_to} << ", twist "
             << int{wish.twist} << ", more legs " << int{wish.more_legs} << "}";
}

std::ostream& operator<<(std::ostream& out, const Step& step) {
  out << "\n  step kind " << int{step.kind} << " strategy " << int{step.strategy} << " ledger "
      << int{step.ledger} << " wallet " << int{step.wallet};
  for (const Wish& wish : step.wishes) out << "\n    " << wish;
  return out;
}

rc::Gen<std::vector<Step>> any_sequence() {
  return rc::gen::scale(0.5, rc::gen::container<std::vector<Step>>(any_step()));
}

}  // namespace mizan::property
