// The database: values in and out, transactions, readers beside a writer, errors of the right kind.
#include "compare/database.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/error.h"
#include "core/file.h"
#include "data/temp_folder.h"

namespace equipoise {
namespace {

class DatabaseTest : public ::testing::Test {
 protected:
  std::string path() const { return folder_ / "test.sqlite"; }
  test::TempFolder folder_;
};

TEST_F(DatabaseTest, ValuesComeBackAsTheyWere) {
  Database database(path(), Database::Mode::write);
  database.execute("CREATE TABLE t (i INTEGER, d REAL, n REAL, s TEXT, b BLOB)");
  const std::string bytes("\0\xff\0a", 4);
  Statement(database, "INSERT INTO t VALUES (?, ?, ?, ?, ?)")
      .bind(std::numeric_limits<std::int64_t>::min())
      .bind(0.1)
      .bind(std::nan(""))
      .bind("φ 'x'; DROP TABLE t")
      .bind_bytes(bytes)
      .step();
  Statement row(database, "SELECT * FROM t");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.integer(0), std::numeric_limits<std::int64_t>::min());
  EXPECT_EQ(row.number(1), 0.1);
  EXPECT_TRUE(std::isnan(row.number(2)));
  EXPECT_EQ(row.text(3), "φ 'x'; DROP TABLE t");
  EXPECT_EQ(row.bytes(4), bytes);
  EXPECT_FALSE(row.step());
}

TEST_F(DatabaseTest, WhatIsNotCommittedIsNotThere) {
  Database database(path(), Database::Mode::write);
  database.execute("CREATE TABLE t (i INTEGER UNIQUE)");
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (1)");
  }
  {
    Transaction transaction(database);
    database.execute("INSERT INTO t VALUES (2)");
    transaction.commit();
  }
  Statement row(database, "SELECT group_concat(i) FROM t");
  ASSERT_TRUE(row.step());
  EXPECT_EQ(row.text(0), "2");
  EXPECT_THROW(database.execute("INSERT INTO t VALUES (2)"), Error);
}

TEST_F(DatabaseTest, AReaderSeesWhatAWriterHasCommitted) {
  Database writer(path(), Database::Mode::write);
  writer.execute("CREATE TABLE t (i INTEGER); INSERT INTO t VALUES (1)");
  Database reader(path(), Database::Mode::read);
  Transaction transaction(writer);
  writer.execute("INSERT INTO t VALUES (2)");
  const auto count = [&] {
    Statement row(reader, "SELECT count(*) FROM t");
    row.step();
    return row.integer(0);
  };
  EXPECT_EQ(count(), 1);
  transaction.commit();
  EXPECT_EQ(count(), 2);
}

TEST_F(DatabaseTest, ErrorsOfTheRightKind) {
  write_file(path(), std::string(5000, 'x'));
  EXPECT_THROW(Database(path(), Database::Mode::write), CheckError);
  EXPECT_THROW(Database(folder_ / "no/such/folder.sqlite", Database::Mode::write), OutputError);
  EXPECT_THROW(Database(folder_ / "missing.sqlite", Database::Mode::read), OutputError);
}

}  // namespace
}  // namespace equipoise
