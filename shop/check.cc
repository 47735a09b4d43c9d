#include "shop/check.h"

#include <atomic>
#include <limits>
#include <thread>
#include <vector>

#include "shop/audit.h"

namespace waltax::shop {

namespace {

constexpr uint64_t kRangesPerThread = 4;
constexpr uint64_t kLastKey = std::numeric_limits<uint64_t>::max();

// The loaded keys in equal parts, and what lies behind them.
std::vector<KeyRange> RangesOf(uint64_t parts) {
  std::vector<KeyRange> ranges;
  const uint64_t width = FirstUid(kRunMachine) / parts;
  for (uint64_t i = 0; i < parts; ++i) {
    ranges.push_back({i * width, i + 1 < parts ? (i + 1) * width - 1
                                               : FirstUid(kRunMachine) - 1});
  }
  ranges.push_back({FirstUid(kRunMachine), kLastKey});
  return ranges;
}

// Runs them on so many threads, until one fails.
using Task = std::function<Status()>;
void RunTasks(const std::vector<Task>& tasks, int threads, Findings* findings) {
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < tasks.size() && !findings->failed();
         i = next++) {
      const Status status = tasks[i]();
      if (!status.ok()) findings->Fail(status);
    }
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
}

uint64_t PartsFor(int threads) {
  return kRangesPerThread * static_cast<uint64_t>(threads);
}

// What a method of Tables reads, each row told to `look` and counted as `name`.
template <typename Read, typename Look>
Task Reading(const Read& read, const char* name, const Look& look,
             Findings* findings) {
  return [=] {
    uint64_t rows = 0;
    const Status status = read([&](const auto&... row) {
      ++rows;
      look(row...);
    });
    findings->Count(name, rows);
    return status;
  };
}

std::vector<Task> TasksOf(Tables& tables, int threads, Audit* audit) {
  std::vector<Task> tasks;
  const auto look = [audit](const auto& row) { audit->Look(row); };
  const auto look_at_entry = [audit](uint64_t customer_id, uint64_t order_id) {
    audit->LookAtEntry(customer_id, order_id);
  };
  for (const KeyRange& range : RangesOf(PartsFor(threads))) {
    const auto add = [&](const auto& read, const char* name, const auto& each) {
      tasks.push_back(Reading(read, name, each, &audit->findings));
    };
    add([=,
         &tables](const auto& each) { return tables.ForProducts(range, each); },
        "products", look);
    add([=, &tables](
            const auto& each) { return tables.ForCustomers(range, each); },
        "customers", look);
    add([=,
         &tables](const auto& each) { return tables.ForOrders(range, each); },
        "orders", look);
    add([=,
         &tables](const auto& each) { return tables.ForEntries(range, each); },
        "index_entries", look_at_entry);
  }
  return tasks;
}

}  // namespace

Status CheckTables(const Population& population,
                   const std::optional<Expected>& expected, int threads,
                   Tables& tables, CheckResult* result) {
  Audit audit(population, expected);
  RunTasks(TasksOf(tables, threads, &audit), threads, &audit.findings);
  if (!audit.findings.failed()) audit.End();
  return audit.findings.Take(result);
}

Status SurveyTables(int threads, Tables& tables, Before* before) {
  std::atomic<uint64_t> changes = 0;
  uint64_t next_order = 1;
  std::vector<Task> tasks = {[&] {
    return tables.ForOrders(
        {FirstUid(kRunMachine), kLastKey}, [&](const Order& order) {
          const auto run = NumberOf(Table::kOrders, kRunMachine, order.id);
          if (run && *run >= next_order) next_order = *run + 1;
        });
  }};
  for (const KeyRange& range : RangesOf(PartsFor(threads))) {
    tasks.emplace_back([&, range] {
      return tables.ForProducts(
          range, [&](const Product& row) { changes += row.changes; });
    });
  }
  Findings findings;
  RunTasks(tasks, threads, &findings);
  *before = {next_order, changes};
  CheckResult none;
  return findings.Take(&none);
}

}  // namespace waltax::shop
