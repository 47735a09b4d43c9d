#include <gtest/gtest.h>

#include "kv/check.h"
#include "kv/loader.h"
#include "tests/driver/rocksdb/temporary_database.h"

namespace waltax::kv {
namespace {

Options Small() {
  Options options;
  options.data.num = 10;
  return options;
}

TEST(KvCheck, FindsALostATornAndAForeignWrite) {
  const Options options = Small();
  waltax::TemporaryDatabase database(TableNames(options.data));
  const Writes writes(options, 7);
  LoadedRows loaded;
  ASSERT_TRUE(
      Load(
          database.engine(), writes, 1, [](const LoadedRows&) {}, &loaded)
          .ok());
  Store store(database.engine(), options.data);
  rocksdb::WriteBatch batch;
  std::string key;
  std::string value;
  for (const uint64_t number : {0, 1, 3, 9}) {  // 2 is lost, 9 is foreign
    writes.EncodeKey(number, &key);
    writes.EncodeValue(number, number, &value);
    if (number == 1) value.back() ^= 1;
    ASSERT_TRUE(batch.Put(store.family(false, number), key, value).ok());
  }
  ASSERT_TRUE(store.Write(&batch).ok());
  CheckResult result;
  ASSERT_TRUE(
      CheckStore(store, writes, Expected{0, 4, {}, true}, &result).ok());
  EXPECT_EQ(result.violations,
            (std::vector<std::string>{
                "keys: key 2 is missing, though its write was acknowledged",
                "values: key 1 holds what was never written",
                "values: key 9 holds a write that nobody made"}));
}

}  // namespace
}  // namespace waltax::kv
