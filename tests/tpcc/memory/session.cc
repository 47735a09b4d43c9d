#include <fmt/format.h>

#include <algorithm>

#include "tests/tpcc/memory/store.h"
#include "tpcc/keys.h"
#include "tpcc/schema.h"

namespace waltax::tpcc {

namespace {

// The locks of some warehouses. Taken in ascending order, so that no two
// transactions wait for each other.
class WarehouseLocks {
 public:
  explicit WarehouseLocks(MemoryStore* store) : store_(*store) {}
  WarehouseLocks(const WarehouseLocks&) = delete;
  WarehouseLocks& operator=(const WarehouseLocks&) = delete;
  ~WarehouseLocks() {
    for (size_t i = 0; i < wanted_; ++i) {
      store_.warehouse(w_ids_[i]).mutex.unlock();
    }
  }

  // REQUIRES: at most one for each line of an order, and one more.
  void Want(uint32_t w_id) {
    const auto end = w_ids_.begin() + wanted_;
    if (std::find(w_ids_.begin(), end, w_id) == end) w_ids_[wanted_++] = w_id;
  }
  // To be called once.
  void Take() {
    std::sort(w_ids_.begin(), w_ids_.begin() + wanted_);
    for (size_t i = 0; i < wanted_; ++i) {
      store_.warehouse(w_ids_[i]).mutex.lock();
    }
  }

 private:
  MemoryStore& store_;
  std::array<uint32_t, kMaxOrderLines + 1> w_ids_{};
  size_t wanted_ = 0;
};

// Its text points into `stored`. Every row here was encoded by us.
template <typename Row>
Row Decoded(std::string_view stored) {
  Row row;
  (void)DecodeRow(stored, &row);
  return row;
}

// Clauses 2.5.2.2 and 2.6.2.2: of the customers with a last name, in the order
// of their first names, the one in the middle, rounded up.
uint32_t CustomerNumber(const CustomerChoice& choice,
                        const MemoryDistrict& district) {
  if (choice.c_id != 0) return choice.c_id;
  std::string prefix;
  AppendLastNamePrefix(choice.w_id, choice.d_id, choice.last, &prefix);
  const auto first =
      std::lower_bound(district.names.begin(), district.names.end(), prefix);
  auto last = first;
  while (last != district.names.end() && last->starts_with(prefix)) ++last;
  return CustomerOfName(*(first + (last - first - 1) / 2));
}

// Clause 2.4.3.3, rounded to the nearest cent.
Cents TotalAmount(Cents sum, const NewOrderOutput& output) {
  const Cents discounted = sum * (10'000 - output.c_discount);
  const Cents taxed = discounted * (10'000 + output.w_tax + output.d_tax);
  return (taxed + 50'000'000) / 100'000'000;
}

// Clause 2.4.2.2.
bool IsOriginal(std::string_view data) {
  return data.find("ORIGINAL") != std::string_view::npos;
}

// What the stock has left.
int32_t Restocked(int32_t in_stock, int32_t ordered) {
  const int32_t rest = in_stock - ordered;
  return rest < 10 ? rest + 91 : rest;
}

}  // namespace

template <typename Row>
void MemorySession::Replace(std::string* stored, const Row& row) {
  EncodeRow(row, &encoded_);
  stored->assign(encoded_);
}

Reply MemorySession::NewOrder(const NewOrderInput& input,
                              NewOrderOutput* output) {
  WarehouseLocks locks(&store_);
  locks.Want(input.w_id);
  for (size_t i = 0; i < input.ol_cnt; ++i) {
    locks.Want(input.lines[i].supply_w_id);
  }
  locks.Take();
  MemoryWarehouse& warehouse = store_.warehouse(input.w_id);
  MemoryDistrict& district = warehouse.districts[input.d_id - 1U];
  auto row = Decoded<District>(district.row);
  const auto customer = Decoded<Customer>(district.customers[input.c_id - 1]);
  output->o_id = row.next_o_id;
  output->entry_d = Now();
  output->c_last = customer.last;
  output->c_credit = customer.credit;
  output->c_discount = customer.discount;
  output->w_tax = Decoded<Warehouse>(warehouse.row).tax;
  output->d_tax = row.tax;
  MemoryOrder order;
  output->rolled_back = !AddLines(input, output, &order);
  if (output->rolled_back) {
    RollBack();
    return {};
  }
  undo_.clear();
  InsertOrder(input, output->entry_d, std::move(order), &district);
  ++row.next_o_id;
  Replace(&district.row, row);
  return {};
}

void MemorySession::InsertOrder(const NewOrderInput& input, Timestamp entry_d,
                                MemoryOrder order, MemoryDistrict* district) {
  Order row{.c_id = input.c_id, .entry_d = entry_d, .ol_cnt = input.ol_cnt};
  for (size_t i = 0; i < input.ol_cnt; ++i) {
    if (input.lines[i].supply_w_id != input.w_id) row.all_local = 0;
  }
  Replace(&order.row, row);
  district->orders.push_back(std::move(order));
  const auto o_id = static_cast<uint32_t>(district->orders.size());
  district->orders_of[input.c_id - 1].push_back(o_id);
  district->new_orders.push_back(o_id);
}

// False when an item is not there; then RollBack() must follow.
bool MemorySession::AddLines(const NewOrderInput& input, NewOrderOutput* output,
                             MemoryOrder* order) {
  Cents sum = 0;
  output->total_amount = 0;
  order->lines.resize(input.ol_cnt);
  for (size_t i = 0; i < input.ol_cnt; ++i) {
    const NewOrderInput::Line& line = input.lines[i];
    if (line.i_id > store_.items().size()) return false;
    const auto item = Decoded<Item>(store_.items()[line.i_id - 1]);
    NewOrderOutput::Line& shown = output->lines[i];
    shown.i_name = item.name;
    shown.i_price = item.price;
    shown.amount = item.price * line.quantity;
    sum += shown.amount;
    MemoryWarehouse& supplier = store_.warehouse(line.supply_w_id);
    const Stock stock = TakeStock(line, line.supply_w_id != input.w_id,
                                  &supplier.stock[line.i_id - 1]);
    shown.s_quantity = stock.quantity;
    const bool brand = IsOriginal(item.data) && IsOriginal(stock.data);
    shown.brand_generic = brand ? 'B' : 'G';
    Replace(&order->lines[i],
            OrderLine{line.i_id, line.supply_w_id, 0, line.quantity,
                      shown.amount, stock.dist(input.d_id)});
  }
  output->total_amount = TotalAmount(sum, *output);
  return true;
}

// Returns the row as it is afterwards; its text points into `stored`.
Stock MemorySession::TakeStock(const NewOrderInput::Line& line, bool remote,
                               std::string* stored) {
  undo_.push_back({stored, *stored});
  auto stock = Decoded<Stock>(*stored);
  stock.quantity = Restocked(stock.quantity, line.quantity);
  stock.ytd += line.quantity;
  ++stock.order_cnt;
  if (remote) ++stock.remote_cnt;
  Replace(stored, stock);
  return Decoded<Stock>(*stored);
}

// Newest first: an order may name an item twice.
void MemorySession::RollBack() {
  for (auto before = undo_.rbegin(); before != undo_.rend(); ++before) {
    *before->stored = std::move(before->row);
  }
  undo_.clear();
}

Reply MemorySession::Payment(const PaymentInput& input, PaymentOutput* output) {
  WarehouseLocks locks(&store_);
  locks.Want(input.w_id);
  locks.Want(input.customer.w_id);
  locks.Take();
  MemoryWarehouse& warehouse = store_.warehouse(input.w_id);
  auto warehouse_row = Decoded<Warehouse>(warehouse.row);
  warehouse_row.ytd += input.amount;
  std::string& district = warehouse.districts[input.d_id - 1U].row;
  auto district_row = Decoded<District>(district);
  district_row.ytd += input.amount;
  const std::string h_data =
      fmt::format("{}    {}", warehouse_row.name, district_row.name);
  Replace(&warehouse.row, warehouse_row);
  Replace(&district, district_row);
  output->date = Now();
  MemoryDistrict& home =
      store_.warehouse(input.customer.w_id).districts[input.customer.d_id - 1U];
  output->c_id = CustomerNumber(input.customer, home);
  Pay(input, output, &home.customers[output->c_id - 1]);
  Replace(&home.history[output->c_id - 1].emplace_back(),
          History{input.w_id, input.d_id, output->date, input.amount, h_data});
  return {};
}

// `output` must have the customer's number.
void MemorySession::Pay(const PaymentInput& input, PaymentOutput* output,
                        std::string* stored) {
  auto customer = Decoded<Customer>(*stored);
  customer.balance -= input.amount;
  customer.ytd_payment += input.amount;
  ++customer.payment_cnt;
  std::string data;
  output->c_data.clear();
  if (customer.credit == "BC") {  // clause 2.5.2.2
    data = fmt::format("{} {} {} {} {} {}.{:02} {}", output->c_id,
                       input.customer.d_id, input.customer.w_id, input.d_id,
                       input.w_id, input.amount / 100, input.amount % 100,
                       customer.data)
               .substr(0, 500);
    customer.data = data;
    output->c_data = data.substr(0, 200);
  }
  output->c_balance = customer.balance;
  output->c_credit_lim = customer.credit_lim;
  output->c_discount = customer.discount;
  output->c_credit = customer.credit;
  Replace(stored, customer);
}

Reply MemorySession::OrderStatus(const OrderStatusInput& input,
                                 OrderStatusOutput* output) {
  const CustomerChoice& choice = input.customer;
  MemoryWarehouse& warehouse = store_.warehouse(choice.w_id);
  const std::lock_guard lock(warehouse.mutex);
  const MemoryDistrict& district = warehouse.districts[choice.d_id - 1U];
  output->c_id = CustomerNumber(choice, district);
  output->c_balance =
      Decoded<Customer>(district.customers[output->c_id - 1]).balance;
  output->o_id = district.orders_of[output->c_id - 1].back();
  const MemoryOrder& order = district.orders[output->o_id - 1];
  const auto row = Decoded<Order>(order.row);
  output->entry_d = row.entry_d;
  output->carrier_id = row.carrier_id;
  output->lines.clear();
  for (const std::string& stored : order.lines) {
    const auto line = Decoded<OrderLine>(stored);
    output->lines.push_back({line.i_id, line.supply_w_id, line.quantity,
                             line.amount, line.delivery_d});
  }
  return {};
}

Reply MemorySession::Delivery(const DeliveryInput& input,
                              DeliveryOutput* output) {
  MemoryWarehouse& warehouse = store_.warehouse(input.w_id);
  const std::lock_guard lock(warehouse.mutex);
  const Timestamp now = Now();
  for (size_t d = 0; d < kDistricts; ++d) {
    output->o_ids[d] =
        DeliverOldest(input.carrier_id, now, &warehouse.districts[d]);
  }
  return {};
}

// Returns its number, or 0 when all was delivered.
uint32_t MemorySession::DeliverOldest(uint8_t carrier_id, Timestamp now,
                                      MemoryDistrict* district) {
  if (district->new_orders.empty()) return 0;
  const uint32_t o_id = district->new_orders.front();
  district->new_orders.pop_front();
  district->oldest.clear();
  table::Append(o_id + 1, &district->oldest);
  MemoryOrder& order = district->orders[o_id - 1];
  auto row = Decoded<Order>(order.row);
  row.carrier_id = carrier_id;
  Replace(&order.row, row);
  std::string& stored = district->customers[row.c_id - 1];
  auto customer = Decoded<Customer>(stored);
  customer.balance += StampLines(now, &order);
  ++customer.delivery_cnt;
  Replace(&stored, customer);
  return o_id;
}

// Returns the sum of their amounts.
Cents MemorySession::StampLines(Timestamp now, MemoryOrder* order) {
  Cents sum = 0;
  for (std::string& stored : order->lines) {
    auto line = Decoded<OrderLine>(stored);
    line.delivery_d = now;
    sum += line.amount;
    Replace(&stored, line);
  }
  return sum;
}

// Clause 2.8.2.2: of the last 20 orders.
Reply MemorySession::StockLevel(const StockLevelInput& input,
                                StockLevelOutput* output) {
  MemoryWarehouse& warehouse = store_.warehouse(input.w_id);
  const std::lock_guard lock(warehouse.mutex);
  const auto& orders = warehouse.districts[input.d_id - 1U].orders;
  items_.clear();
  for (size_t o = orders.size() - 20; o < orders.size(); ++o) {
    for (const std::string& line : orders[o].lines) {
      items_.push_back(Decoded<OrderLine>(line).i_id);
    }
  }
  std::sort(items_.begin(), items_.end());
  items_.erase(std::unique(items_.begin(), items_.end()), items_.end());
  const auto low = [&](uint32_t i_id) {
    return Decoded<Stock>(warehouse.stock[i_id - 1]).quantity < input.threshold;
  };
  output->low_stock =
      static_cast<uint32_t>(std::count_if(items_.begin(), items_.end(), low));
  return {};
}

}  // namespace waltax::tpcc
