package redline

import (
	"strings"

	"spar/redline/acts/sql"
)

// dataTable: databases and the tools that change their schema. What psql, mysql
// and the other clients of the reader's list execute comes as acts of kind SQL and
// is priced in sql.go; the clients here carry theirs in an option.
var dataTable = []Program{
	{Name: "cqlsh", Also: []string{"snowsql", "snow", "isql", "osql", "trino", "presto", "spark-sql", "hive", "beeline", "impala-shell", "mysqlsh", "pgcli", "mycli", "litecli", "invoke-sqlcmd", "bq", "sqlplus", "vsql", "questdb", "influx", "surreal", "libsql", "osqueryi", "dolt", "hdbsql", "db2", "athenacli"},
		Value: "-e -q -Q -c --execute --query --command --sql -Query -u -p -h -P -d -D -k --keyspace -s -f --file --host --port --user --database --project_id --format", Rows: []Row{
			{When: func(l *line) bool { return destroysSQL(l.carriedSQL()) }, kinds: irr, Why: "SQL that destroys", Charged: `cqlsh -e "TRUNCATE shop.events"`, Free: `cqlsh -e "SELECT * FROM shop.events LIMIT 5"`},
			{Path: "rm", When: func(l *line) bool { return l.name == "bq" }, kinds: irr, Why: "deletes a table or a dataset", Charged: `bq rm -f shop.events`, Free: `bq ls shop`},
		}},
	{Name: "dropdb", Also: []string{"dropuser"}, Value: "-h --host -p --port -U --username --maintenance-db", Rows: []Row{
		{Target: some, kinds: irr, Why: "drops a database or a role", Charged: `dropdb --if-exists shop_test`, Free: `createdb shop_test`},
	}},
	{Name: "mysqladmin", Also: []string{"mariadb-admin"}, Value: "-h --host -P --port -u --user -S --socket", Rows: []Row{
		{When: func(l *line) bool {
			for _, a := range l.ops {
				if a.text == "drop" {
					return true
				}
			}
			return false
		}, kinds: irr, Why: "drops a database", Charged: `mysqladmin -f drop shop_test`, Free: `mysqladmin create shop_test`},
	}},
	{Name: "pg_restore", Also: []string{"mongorestore", "mongoimport"}, Value: "-d --dbname -h --host -p --port -U --username -n --schema -t --table -f --file --db --collection --uri", Rows: []Row{
		{With: "-c --clean --drop", When: func(l *line) bool {
			v, ok := l.value("-f --file")
			return l.name != "pg_restore" || !ok || v.text == "" || l.value1("-d --dbname")
		}, kinds: irr, Why: "drops what is there before it restores", Charged: `pg_restore --clean -d shop shop.dump`, Free: `pg_restore -d shop shop.dump`},
	}},
	{Name: "mongosh", Also: []string{"mongo"}, Value: "--eval --host --port -u --username -p --password --authenticationDatabase -f --file --db", Rows: []Row{
		{When: func(l *line) bool {
			lost := false
			l.each("--eval", func(a arg) { lost = lost || mongoDestroys(a.text) })
			if l.act.Stdin.HasText {
				lost = lost || mongoDestroys(l.act.Stdin.Text.String())
			}
			return lost
		}, kinds: irr, Why: "drops, deletes or overwrites documents", Charged: `mongosh shop --eval 'db.carts.drop()'`, Free: `mongosh shop --eval 'db.carts.find({state: "drop()"})'`},
	}},
	{Name: "redis-cli", Also: []string{"valkey-cli", "keydb-cli", "iredis"}, Value: "-h -p -s -a -u -n -r -i -d -D --user --pass --cacert --cert --key --eval --pattern", Rows: []Row{
		{When: func(l *line) bool {
			if len(l.ops) > 0 {
				return redisDestroys(l.ops)
			}
			if l.act.Stdin.HasText {
				for text := range strings.SplitSeq(l.act.Stdin.Text.String(), "\n") {
					f := strings.Fields(text)
					var ops []arg
					for _, s := range f {
						ops = append(ops, arg{text: s, known: true})
					}
					if len(ops) > 0 && redisDestroys(ops) {
						return true
					}
				}
			}
			return false
		}, kinds: irr, Why: "removes keys", Charged: `redis-cli -h cache-01 FLUSHALL`, Free: `redis-cli -h cache-01 GET cart:1`},
	}},
	{Name: "prisma", Value: "--schema --config --url --file --name -n --to-url --from-url", Rows: []Row{
		{Path: "migrate reset", kinds: irr, Why: "drops and rebuilds the database", Charged: `npx prisma migrate reset --force`, Free: `npx prisma migrate status`},
		{Path: "db push", With: "--force-reset --accept-data-loss", kinds: irr, Why: "drops data to fit the schema", Charged: `prisma db push --accept-data-loss`, Free: `prisma db push`},
		{Path: "db execute", When: func(l *line) bool { return l.act.Stdin.HasText && destroysSQL(l.act.Stdin.Text.String()) }, kinds: irr, Why: "SQL that destroys", Charged: `echo 'DROP TABLE carts' | prisma db execute --stdin`, Free: `echo 'SELECT 1' | prisma db execute --stdin`},
	}},
	{Name: "rails", Also: []string{"rake"}, Value: "-e -f --rakefile --environment", Rows: []Row{
		{Not: "-n --dry-run -T --tasks", When: func(l *line) bool {
			for _, a := range l.ops {
				t := a.text
				if i := strings.IndexByte(t, '['); i > 0 {
					t = t[:i]
				}
				if either("db:drop|db:drop:all|db:drop:_unsafe|db:reset|db:migrate:reset|db:migrate:down|db:schema:load|db:structure:load|db:purge|db:purge:all|db:rollback|db:truncate_all|db:seed:replant|db:migrate:redo|redis:flush|db:mongoid:drop|db:mongoid:purge", t) {
					return true
				}
			}
			return false
		}, kinds: irr, Why: "drops data", Charged: `bin/rails db:drop`, Free: `bin/rails db:migrate`},
		{Path: "destroy|d", Not: "-p --pretend", kinds: irr, Why: "removes generated files", Charged: `rails destroy model Cart`, Free: `rails generate model Cart`},
	}},
	{Name: "artisan", Value: "--env --database --path --seeder", Rows: []Row{
		{Path: "migrate:fresh|migrate:reset|migrate:refresh|migrate:rollback|db:wipe|queue:clear|queue:flush|telescope:clear|horizon:clear|schema:drop", Not: "--pretend", kinds: irr, Why: "drops data", Charged: `php artisan migrate:fresh --seed`, Free: `php artisan migrate:status`},
	}},
	{Name: "console", Also: []string{"symfony"}, Value: "-e --env --em --connection", Rows: []Row{
		{When: func(l *line) bool {
			for _, a := range l.ops[:min(2, len(l.ops))] {
				switch a.text {
				case "doctrine:database:drop":
					return l.has("--force -f")
				case "doctrine:schema:drop":
					return l.has("--force -f")
				case "doctrine:fixtures:load":
					return !l.has("--append")
				case "doctrine:schema:update":
					return l.has("--force -f") && l.has("--complete")
				}
			}
			return false
		}, kinds: irr, Why: "drops data", Charged: `php bin/console doctrine:database:drop --force`, Free: `php bin/console doctrine:database:drop --dump-sql`},
	}},
	{Name: "manage.py", Also: []string{"django-admin"}, Value: "--settings --pythonpath --database -v --verbosity", Rows: []Row{
		{Path: "flush|reset_db|delete_squashed_migrations|reset_schema", kinds: irr, Why: "empties the database", Charged: `python manage.py flush --noinput`, Free: `python manage.py sqlflush`},
		{Path: "migrate", Not: "--plan --check", When: func(l *line) bool { return len(l.ops) > 1 && l.op(1) == "zero" }, kinds: irr, Why: "takes every migration of an app back", Charged: `python manage.py migrate shop zero`, Free: `python manage.py migrate shop`},
		{Path: "remove_stale_contenttypes|delete_user", kinds: irr, Why: "deletes rows", Charged: `python manage.py remove_stale_contenttypes`, Free: `python manage.py showmigrations`},
	}},
	{Name: "alembic", Also: []string{"aerich"}, Value: "-c --config -n --name -x --tag", Rows: []Row{
		{Path: "downgrade", Not: "--sql", kinds: irr, Why: "takes migrations back", Charged: `alembic downgrade -1`, Free: `alembic upgrade head`},
	}},
	{Name: "flask", Value: "-A --app -e --env-file", Rows: []Row{
		{Path: "db downgrade", Not: "--sql", kinds: irr, Why: "takes migrations back", Charged: `flask db downgrade`, Free: `flask db upgrade`},
	}},
	{Name: "flyway", Style: dash, Rows: []Row{
		{When: func(l *line) bool {
			for _, a := range l.ops {
				if either("clean|undo", a.text) {
					return true
				}
			}
			return false
		}, kinds: irr, Why: "drops the schema's objects", Charged: `flyway -url=jdbc:x clean`, Free: `flyway info`},
	}},
	{Name: "liquibase", Rows: []Row{
		{When: func(l *line) bool {
			for _, a := range l.ops {
				w := strings.ToLower(strings.ReplaceAll(a.text, "-", ""))
				if w == "dropall" || strings.HasPrefix(w, "rollback") && !strings.HasSuffix(w, "sql") {
					return true
				}
			}
			return false
		}, kinds: irr, Why: "drops or takes back the schema's objects", Charged: `liquibase drop-all`, Free: `liquibase rollback-sql v1`},
	}},
	{Name: "drizzle-kit", Rows: []Row{
		{Path: "drop", kinds: irr, Why: "drops migrations", Charged: `drizzle-kit drop`, Free: `drizzle-kit generate`},
		{Path: "push|push:pg|push:mysql|push:sqlite", With: "--force", kinds: irr, Why: "drops data to fit the schema", Charged: `drizzle-kit push --force`, Free: `drizzle-kit check`},
	}},
	{Name: "knex", Value: "--knexfile --env --cwd", Rows: []Row{
		{Path: "migrate:rollback|migrate:down", kinds: irr, Why: "takes migrations back", Charged: `knex migrate:rollback --all`, Free: `knex migrate:latest`},
	}},
	{Name: "sequelize", Also: []string{"sequelize-cli"}, Value: "--env --config --url --name --to", Rows: []Row{
		{Path: "db:drop|db:migrate:undo|db:migrate:undo:all|db:seed:undo|db:seed:undo:all", kinds: irr, Why: "drops data", Charged: `sequelize db:drop`, Free: `sequelize db:migrate:status`},
	}},
	{Name: "typeorm", Also: []string{"typeorm-ts-node-commonjs", "typeorm-ts-node-esm", "mikro-orm", "orm"}, Value: "-d --dataSource --config", Rows: []Row{
		{Path: "schema:drop|migration:revert|schema:fresh|migration:down|migration:fresh|database:drop", Not: "--dump", kinds: irr, Why: "drops data", Charged: `typeorm schema:drop -d src/db.ts`, Free: `typeorm migration:show -d src/db.ts`},
	}},
	{Name: "migrate", Also: []string{"goose", "dbmate", "sqitch", "atlas", "diesel", "sqlx", "sea-orm-cli", "refinery", "tern", "rambler", "node-pg-migrate", "db-migrate", "migrate-mongo", "graphile-migrate", "bytebase", "dbt", "edgedb", "gel", "hasura", "nova", "pgroll"}, Style: gnu,
		Value: "-path -database -source -dir -table --path --database --source --dir -u --url -d --env -e --to --database-url --migrations-dir -m", Rows: []Row{
			{Not: "--dry-run -dry-run --help", When: migrationDown, kinds: irr, Why: "takes migrations back or drops the database", Charged: `goose -dir db postgres x down`, Free: `goose -dir db postgres x status`},
		}},
	{Name: "wp", Value: "--path --url --ssh --user", Rows: []Row{
		{Path: "db reset|drop|clean", kinds: irr, Why: "drops data", Charged: `wp db reset --yes`, Free: `wp db export`},
		{Path: "site|post|user|term|comment|option|plugin|theme delete|empty", kinds: irr, Why: "deletes content", Charged: `wp site empty --yes`, Free: `wp post list`},
		{Path: "plugin|theme install", kinds: dep, Why: "installs code", Charged: `wp plugin install akismet`, Free: `wp plugin list`},
	}},
	{Name: "drush", Rows: []Row{
		{Path: "sql-drop|sql:drop|site-install|site:install|entity:delete|sql-sync|sql:sync", kinds: irr, Why: "drops data", Charged: `drush sql:drop -y`, Free: `drush status`},
	}},
	{Name: "kafka-topics", Also: []string{"kafka-topics.sh", "kafka-consumer-groups", "kafka-consumer-groups.sh", "rpk", "nats", "pulsar-admin", "rabbitmqctl", "rabbitmqadmin"}, Value: "--bootstrap-server --topic --zookeeper --group -s --server", Rows: []Row{
		{With: "--delete --delete-offsets", kinds: irr, Why: "deletes a topic or its offsets", Charged: `kafka-topics.sh --bootstrap-server k:9092 --delete --topic carts`, Free: `kafka-topics.sh --bootstrap-server k:9092 --list`},
		{When: func(l *line) bool {
			for _, a := range l.ops[:min(3, len(l.ops))] {
				if either("delete|purge|rm|purge_queue|delete_queue|reset|force_reset|delete_vhost", a.text) {
					return true
				}
			}
			return false
		}, kinds: irr, Why: "deletes a topic or a queue", Charged: `rpk topic delete carts`, Free: `rpk topic list`},
	}},
	{Name: "pg_dropcluster", Also: []string{"pg_resetwal", "dropcluster"}, Rows: []Row{{Target: some, Not: "-n --dry-run", kinds: irr, Why: "drops a cluster or its log", Charged: `pg_dropcluster 16 main`, Free: `pg_resetwal -n /srv/pg`}}},
}

// carriedSQL is the SQL of a client that carries it in an option, as an operand or
// on its input.
func (l *line) carriedSQL() string {
	var b strings.Builder
	l.each("-e -q -Q -c --execute --query --command --sql -Query", func(a arg) {
		b.WriteString(a.text)
		b.WriteString(";\n")
	})
	for _, a := range l.ops {
		if strings.IndexByte(a.text, ' ') > 0 {
			b.WriteString(a.text)
			b.WriteString(";\n")
		}
	}
	if l.act.Stdin.HasText {
		b.WriteString(l.act.Stdin.Text.String())
	}
	return b.String()
}

// destroysSQL reports whether one of the statements takes data away.
func destroysSQL(text string) bool {
	for _, s := range sql.Statements(text) {
		if s.Effect == sql.Destroys {
			return true
		}
	}
	return false
}

// mongoDestroys looks for calls of the methods that drop, delete or overwrite, in
// the code and not in its strings.
func mongoDestroys(code string) bool {
	for i := 0; i < len(code); i++ {
		switch c := code[i]; c {
		case '"', '\'', '`':
			for i++; i < len(code) && code[i] != c; i++ {
				if code[i] == '\\' {
					i++
				}
			}
		case '/':
			if strings.HasPrefix(code[i:], "//") {
				for i < len(code) && code[i] != '\n' {
					i++
				}
			}
		case '.':
			j := i + 1
			for j < len(code) && (letter(code[j]) || code[j] >= '0' && code[j] <= '9') {
				j++
			}
			name, rest := code[i+1:j], strings.TrimLeft(code[j:], " \t")
			if !strings.HasPrefix(rest, "(") {
				continue
			}
			switch name {
			case "dropDatabase", "drop", "deleteMany", "deleteOne", "remove", "dropIndex", "dropIndexes", "findOneAndDelete",
				"findOneAndReplace", "findOneAndUpdate", "findAndModify", "updateMany", "updateOne", "update", "replaceOne", "dropUser", "dropRole", "dropAllUsersFromDatabase",
				"renameCollection", "bulkWrite":
				return true
			}
		}
	}
	return false
}

// redisDestroys reports whether a command removes keys, or runs a script that may.
func redisDestroys(ops []arg) bool {
	switch strings.ToUpper(ops[0].text) {
	case "FLUSHALL", "FLUSHDB", "DEL", "UNLINK", "HDEL", "ZREM", "SREM", "LREM", "LTRIM", "XDEL", "XTRIM", "SPOP", "GETDEL", "ZREMRANGEBYRANK", "ZREMRANGEBYSCORE", "ZREMRANGEBYLEX", "JSON.DEL", "FT.DROPINDEX", "SWAPDB":
		return true
	case "CLUSTER", "SCRIPT", "FUNCTION", "XGROUP":
		return len(ops) > 1 && either("RESET|FLUSH|FLUSHSLOTS|DELETE|DESTROY", strings.ToUpper(ops[1].text))
	case "EVAL", "--EVAL":
		return len(ops) > 1 && (strings.Contains(strings.ToUpper(ops[1].text), "FLUSH") || strings.Contains(strings.ToUpper(ops[1].text), "'DEL'") || strings.Contains(strings.ToUpper(ops[1].text), `"DEL"`))
	}
	return false
}

// migrationDown reads the migration runners whose verbs are the same words.
func migrationDown(l *line) bool {
	switch l.name {
	case "atlas":
		return l.op(0) == "schema" && l.op(1) == "clean" || l.op(0) == "migrate" && l.op(1) == "down"
	case "sqitch":
		return either("revert|rebase", l.op(0))
	case "dbt":
		return l.has("--full-refresh") && either("run|build|seed", l.op(0))
	case "hasura":
		return l.op(0) == "migrate" && (l.op(1) == "delete" || l.has("--down"))
	}
	for _, a := range l.ops {
		switch a.text {
		case "down", "down-to", "drop", "reset", "rollback", "redo", "revert", "fresh", "refresh", "wipe":
			return true
		}
	}
	return false
}
