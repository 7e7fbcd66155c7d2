#pragma once

namespace mizan {

/// Handlers for std::visit, one lambda per alternative:
/// `std::visit(Match{[](const Applied&) {…}, [](const Refused&) {…}}, outcome)`.
/// Without a catch-all arm a new alternative breaks the build where it matters.
template <class... Handlers>
struct Match : Handlers... {
  using Handlers::operator()...;
};

template <class... Handlers>
Match(Handlers...) -> Match<Handlers...>;

}  // namespace mizan
