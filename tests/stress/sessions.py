# SPDX-License-Identifier: Apache-2.0
# Long sessions for programs whose answers can be compared, always the same for one length: sessions.py sql|redis COUNT
# writes about COUNT statements for sqlite3, or commands for redis-cli. Nothing in an answer depends on the time, on chance or
# on the order of a hash table; some statements are wrong, and so is their answer.
import random
import sys

R = random.Random(42)
COLUMNS = ("id", "a", "b", "c", "d")
FUNCTIONS = ("sum", "count", "min", "max", "avg", "total", "group_concat")


def text():
    return "'" + "".join(R.choice("abcdefgh '%_é").replace("'", "''") for _ in range(R.randrange(12))) + "'"


def value():
    return R.choice((lambda: str(R.randrange(-1000, 1000)), lambda: "%.3f" % R.uniform(-9, 9), text, lambda: "null",
                     lambda: "x'%04x'" % R.randrange(65536)))()


def expression(depth=2):
    if depth == 0 or R.random() < 0.3:
        return R.choice(COLUMNS) if R.random() < 0.7 else value()
    a, b = expression(depth - 1), expression(depth - 1)
    return R.choice(("(%s + %s)", "(%s * %s)", "(%s - %s)", "(%s || %s)", "(%s < %s)", "(%s is %s)", "coalesce(%s, %s)",
                     "(%s %% %s)", "max(%s, %s)", "(%s like %s)", "iif(%s, %s, 7)", "(%s & %s)", "(%s and %s)")) % (a, b)


def sql_statement(n):
    table, other = "t%d" % R.randrange(5), "t%d" % R.randrange(5)
    kind = R.randrange(20)
    if kind < 6:
        return "insert into %s(a, b, c, d) values(%s);" % (table, ", ".join(value() for _ in range(4)))
    if kind < 9:
        return "select %s, %s from %s where %s order by id limit %d;" % (
            expression(), expression(), table, expression(), R.randrange(1, 20))
    if kind < 11:
        return "select typeof(b), %s(%s) from %s group by 1 order by 1;" % (R.choice(FUNCTIONS[:6]), R.choice(COLUMNS), table)
    if kind == 11:
        return "select count(*), total(x.a) from %s x join %s y on x.a = y.%s;" % (table, other, R.choice(COLUMNS))
    if kind == 12:
        return "update %s set %s = %s where id %% 13 = %d;" % (table, R.choice(COLUMNS[1:]), expression(), R.randrange(13))
    if kind == 13:
        return "delete from %s where id %% 29 = %d;" % (table, R.randrange(29))
    if kind == 14:
        return "begin; update %s set d = %s; savepoint p; delete from %s; rollback to p; %s;" % (
            table, value(), other, R.choice(("commit", "rollback")))
    if kind == 15:
        return "select id, sum(a) over (order by id rows 3 preceding), rank() over (order by typeof(c), c, id) from %s limit 9;" % table
    if kind == 16:
        return "with recursive n(i) as (select 1 union all select i + 1 from n where i < %d) select sum(i * i), hex(sum(i)) from n;" % R.randrange(2000)
    if kind == 17:
        return "select json_group_array(json_object('k', id, 'v', %s)) from (select * from %s order by id limit 5);" % (
            R.choice(("id", "typeof(a)", "hex(c)")), table)
    if kind == 18:
        return R.choice(("insert into %s(id) values(1);", "select nothing from %s;", "selct * from %s;", "insert into %s values(1, 2);",
                         "create table %s(x);", "drop index no_%s;")) % table
    return R.choice(("pragma integrity_check;", "analyze;", "reindex;", "select count(*) from changed;", "vacuum;",
                     "select name, type from sqlite_master order by 1;")) if n % 7 == 0 else "select md from %s_sums order by md;" % table


def sql(count):
    yield "create table changed(what, id);"
    for i in range(5):
        yield "create table t%d(id integer primary key, a, b text, c blob, d real);" % i
        yield "create index t%d_a on t%d(a); create index t%d_b on t%d(b, c);" % (i, i, i, i)
        yield "create view t%d_sums as select id %% 5 as md, count(*) as n from t%d group by 1;" % (i, i)
        yield "create trigger t%d_trigger after delete on t%d begin insert into changed values('t%d', old.id); end;" % (i, i, i)
    yield "create virtual table words using fts5(body);"
    for n in range(count):
        yield sql_statement(n)
        if n % 50 == 0:
            yield "insert into words select group_concat(b, ' ') from t%d; select rowid from words where words match 'a* OR b*';" % (n % 5)
    yield ".dump"


def redis_command(n):
    k = lambda kind: "%s:%d" % (kind, R.randrange(40))
    word = lambda: "w%d" % R.randrange(500)
    number = lambda: R.randrange(-50, 50)
    return R.choice((
        lambda: "set %s %s" % (k("s"), word()), lambda: "get %s" % k("s"), lambda: "append %s %s" % (k("s"), word()),
        lambda: "strlen %s" % k("s"), lambda: "setrange %s %d %s" % (k("s"), R.randrange(30), word()),
        lambda: "incrby %s %d" % (k("n"), number()), lambda: "incrbyfloat %s %d.25" % (k("f"), number()), lambda: "incr %s" % k("s"),
        lambda: "lpush %s %s %s" % (k("l"), word(), word()), lambda: "rpop %s" % k("l"), lambda: "lrange %s %d %d" % (k("l"), number(), number()),
        lambda: "linsert %s before %s %s" % (k("l"), word(), word()), lambda: "lmove %s %s left right" % (k("l"), k("l")),
        lambda: "sadd %s %s %s" % (k("e"), word(), word()), lambda: "scard %s" % k("e"), lambda: "smismember %s %s %s" % (k("e"), word(), word()),
        lambda: "sinterstore %s %s %s" % (k("e"), k("e"), k("e")), lambda: "sort %s alpha limit 0 9" % k("e"),
        lambda: "zadd %s %d %s" % (k("z"), number(), word()), lambda: "zrange %s 0 9 withscores" % k("z"), lambda: "zrank %s %s" % (k("z"), word()),
        lambda: "zincrby %s %d %s" % (k("z"), number(), word()), lambda: "zrangebyscore %s %d 50 limit 0 5" % (k("z"), number()),
        lambda: "hset %s %s %s" % (k("h"), word(), word()), lambda: "hmget %s %s %s" % (k("h"), word(), word()), lambda: "hlen %s" % k("h"),
        lambda: "setbit %s %d 1" % (k("b"), R.randrange(5000)), lambda: "bitcount %s" % k("b"), lambda: "bitop xor %s %s %s" % (k("b"), k("b"), k("b")),
        lambda: "pfadd %s %s" % (k("p"), word()), lambda: "pfcount %s" % k("p"), lambda: "rename %s %s" % (k("s"), k("s")),
        lambda: "xadd %s %d-1 f %s" % (k("x"), n + 1, word()), lambda: "xlen %s" % k("x"), lambda: "xrange %s - + count 3" % k("x"),
        lambda: "geoadd %s %d.5 %d.5 %s" % (k("g"), number(), number(), word()), lambda: "geodist %s %s %s" % (k("g"), word(), word()),
        lambda: "del %s %s" % (k("s"), k("l")), lambda: "type %s" % k("s"), lambda: "object encoding %s" % k("n"),
        lambda: "eval \"local s = 0 for i = 1, %d do s = s + i * redis.call('incr', KEYS[1]) end return s\" 1 %s" % (R.randrange(50), k("n")),
        lambda: "lpush %s wrong" % k("s"), lambda: "no_such_command", lambda: "get", lambda: "dbsize",
    ))()


def redis(count):
    for n in range(count):
        yield redis_command(n)
        if n % 1000 == 999:
            yield "debug reload"
        if n % 100 == 99:
            yield "debug digest"


if __name__ == "__main__":
    sys.stdout.reconfigure(encoding="utf-8")
    for line in {"sql": sql, "redis": redis}[sys.argv[1]](int(sys.argv[2])):
        print(line)
