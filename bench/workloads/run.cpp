#include "bench/workloads/workloads.hpp"

#include <string>

namespace mizan::bench {

Result<std::unique_ptr<Target>> Run::make_target(std::size_t wallets, Strategy strategy) const {
  report.progress("making the wallets");
  return Target::make(
      {options.store, options.url, options.directory, wallets, strategy, options.cold});
}

Cell Run::make_cell(const Target& target) const {
  Cell cell;
  cell.store = std::string(to_string(options.store));
  cell.wallets = target.wallets().size();
  cell.durability = target.durability();
  return cell;
}

}  // namespace mizan::bench
