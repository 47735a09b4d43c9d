#include "sqlops/options.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sqlops/student.h"
#include "sqlops/turns.h"

namespace waltax::sqlops {
namespace {

TEST(Options, HaveAnOperationForEachStatement) {
  Options options;
  std::set<Op> ops;
  for (const OpName& name : OpNames()) {
    options.statement = name.flag;
    ops.insert(options.op());
  }
  EXPECT_EQ(ops.size(), OpNames().size());
  EXPECT_EQ(ops.size(), kOps);
  EXPECT_EQ(*ops.rbegin(), Op::kOrderAll);
  EXPECT_EQ(EventName(Op::kOrderAll), "ORDER-BY");
  EXPECT_EQ(EventName(Op::kDeleteMissing), "DELETE");
}

TEST(Students, HaveAsManyBytesAsTheStudys) {
  const Students students(7, 1);
  Student student;
  students.Write(5, &student);
  EXPECT_EQ(student.name.size() + student.addr.size() + student.email.size(),
            175U);
  EXPECT_EQ(student.dob.size(), 10U);
  Student again;
  Students(7, 1).Write(5, &again);
  EXPECT_EQ(student, again);
  Students(8, 1).Write(5, &again);
  EXPECT_NE(student, again);
}

TEST(Students, RepeatWhatTheirCompressionRatioLeavesOut) {
  Student student;
  Students(7, .1).Write(5, &student);
  EXPECT_EQ(student.addr.substr(0, 99), student.addr.substr(11));
  Students(7, 1).Write(5, &student);
  EXPECT_NE(student.addr.substr(0, 99), student.addr.substr(11));
}

TEST(Students, AreRenamedToWhatNoOneIsLoadedWith) {
  std::string name;
  for (const uint64_t number : {uint64_t{0}, ~uint64_t{0}}) {
    WriteNewName(number, &name);
    EXPECT_TRUE(IsNewName(name)) << name;
  }
  Student student;
  Students(7, 1).Write(5, &student);
  EXPECT_FALSE(IsNewName(student.name));
}

TEST(Turns, GiveEachInsertAnIdOfItsOwnBeyondTheLoadedOnes) {
  for (const Op op : {Op::kInsert, Op::kInsertRandom}) {
    const InsertIds ids(1000, op);
    std::set<uint64_t> seen;
    for (uint64_t turn = 1; turn <= 10'000; ++turn) seen.insert(ids.Of(turn));
    EXPECT_EQ(seen.size(), 10'000U);
    EXPECT_GT(*seen.begin(), 1000U);
    EXPECT_LT(*seen.rbegin(), kMissingId);
    EXPECT_LT(ids.Of(ids.turns()), kMissingId);
  }
  EXPECT_EQ(InsertIds(1000, Op::kInsert).Of(1), 1001U);
  EXPECT_EQ(InsertIds(1000, Op::kInsert).Of(2), 1002U);
  EXPECT_GT(InsertIds(1000, Op::kInsertRandom).Of(1), 1'000'000U);
}

TEST(Turns, GiveDeletesEachLoadedStudentOnce) {
  const DeleteIds ids(1000);
  std::set<uint64_t> seen;
  for (uint64_t turn = 1; turn <= ids.turns(); ++turn)
    seen.insert(ids.Of(turn));
  EXPECT_EQ(seen.size(), 1000U);
  EXPECT_EQ(*seen.begin(), 1U);
  EXPECT_EQ(*seen.rbegin(), 1000U);
}

}  // namespace
}  // namespace waltax::sqlops
