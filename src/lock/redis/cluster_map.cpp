#include "lock/redis/cluster_map.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace mizan::redis {
namespace {

constexpr std::int64_t slot_last = 16'383;
constexpr std::uint64_t port_last = 65'535;

/// "?" and an empty text: the node does not know; it is where it was reached.
std::string host_or(const std::string& stated, const RedisAddress& asked) {
  return stated.empty() || stated == "?" ? asked.host : stated;
}

bool is_slot_range(const Reply& entry) {
  return entry.items.size() >= 3 && entry.items[0].integer >= 0 &&
         entry.items[1].integer >= entry.items[0].integer && entry.items[1].integer <= slot_last &&
         entry.items[2].items.size() >= 2 && entry.items[2].items[1].integer > 0 &&
         entry.items[2].items[1].integer <= static_cast<std::int64_t>(port_last);
}

}  // namespace

ClusterMap ClusterMap::read(const Reply& slots, const RedisAddress& asked) {
  ClusterMap map;
  for (const Reply& entry : slots.items) {
    if (!is_slot_range(entry)) continue;
    const Reply& master = entry.items[2];
    map.ranges_.push_back({static_cast<std::uint16_t>(entry.items[0].integer),
                           static_cast<std::uint16_t>(entry.items[1].integer),
                           {host_or(master.items[0].text, asked),
                            static_cast<std::uint16_t>(master.items[1].integer)}});
  }
  return map;
}

std::optional<RedisAddress> ClusterMap::find(std::uint16_t slot) const {
  const auto found = std::find_if(ranges_.rbegin(), ranges_.rend(), [slot](const Range& range) {
    return range.first <= slot && slot <= range.last;
  });
  if (found == ranges_.rend()) return std::nullopt;
  return found->address;
}

void ClusterMap::move(std::uint16_t slot, const RedisAddress& address) {
  std::erase_if(ranges_,
                [slot](const Range& range) { return range.first == slot && range.last == slot; });
  ranges_.push_back({slot, slot, address});
}

std::vector<RedisAddress> ClusterMap::masters() const {
  std::vector<RedisAddress> all;
  for (const Range& range : ranges_) {
    const auto same = [&range](const RedisAddress& known) {
      return known.host == range.address.host && known.port == range.address.port;
    };
    if (std::none_of(all.begin(), all.end(), same)) all.push_back(range.address);
  }
  return all;
}

std::optional<Redirection> read_redirection(const Reply& reply, const RedisAddress& asked) {
  if (!reply.is_error()) return std::nullopt;
  const std::string_view code = reply.error_code();
  if (code != "MOVED" && code != "ASK") return std::nullopt;
  const std::string_view text = reply.text;
  const std::size_t target = text.rfind(' ');
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos || colon < target) return std::nullopt;
  const auto port = parse_unsigned(text.substr(colon + 1));
  if (!port || *port == 0 || *port > port_last) return std::nullopt;
  const std::string host(text.substr(target + 1, colon - target - 1));
  return Redirection{code == "MOVED", {host_or(host, asked), static_cast<std::uint16_t>(*port)}};
}

}  // namespace mizan::redis
