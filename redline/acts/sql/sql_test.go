package sql

import (
	"slices"
	"strings"
	"testing"
)

// list renders statements as "VERB effect object".
func list(text string) []string {
	var out []string
	for _, s := range Statements(text) {
		r := s.Verb + " " + s.Effect.String()
		if s.Object != "" {
			r += " " + s.Object
		}
		out = append(out, r)
	}
	return out
}

func TestStatements(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string
	}{
		// Reads.
		{"", nil},
		{";;", nil},
		{"SELECT 1", []string{"SELECT reads"}},
		{"select id from orders o where o.id = 1", []string{"SELECT reads orders"}},
		{"SELECT id FROM audit WHERE note LIKE 'DROP TABLE%'", []string{"SELECT reads audit"}},
		{"SELECT TRUNCATE(total, 2) FROM orders LIMIT 5", []string{"SELECT reads orders"}},
		{"SELECT id, status FROM orders WHERE status = 'deleted'", []string{"SELECT reads orders"}},
		{"SELECT \"delete\" FROM `drop`", []string{"SELECT reads drop"}},
		{"SELECT replace(a, 'x', 'y') FROM t", []string{"SELECT reads t"}},
		{"SELECT a, update_at FROM t FOR UPDATE", []string{"SELECT reads t"}},
		{"SELECT a FROM t\nFOR\nUPDATE", []string{"SELECT reads t"}},
		{"SELECT E'it\\'s; DROP TABLE x'", []string{"SELECT reads"}},
		{"SELECT 'it\\'s; DROP TABLE x; \\'ok'", []string{"SELECT reads"}},
		{"SELECT 'C:\\'; DELETE FROM t", []string{"SELECT reads", "DELETE destroys t"}},
		{"SELECT 'it''s; DROP TABLE x'", []string{"SELECT reads"}},
		{"SELECT $$; DROP TABLE x;$$", []string{"SELECT reads"}},
		{"SELECT $a$ $$; DROP TABLE x; $$ $a$", []string{"SELECT reads"}},
		{"SELECT [drop table] FROM [dbo].[t]", []string{"SELECT reads dbo.t"}},
		{"-- DROP TABLE routes;\nSELECT count(*) FROM routes;", []string{"SELECT reads routes"}},
		{"# DROP TABLE x\nSELECT 1", []string{"SELECT reads"}},
		{"SELECT 1 # DROP TABLE x", []string{"SELECT reads"}},
		{"SELECT data #> '{a}' FROM t", []string{"SELECT reads t"}},
		{"/* DROP TABLE x; */ SELECT 1", []string{"SELECT reads"}},
		{"/* a /* b */ DROP TABLE x; */ SELECT 1", []string{"SELECT reads"}},
		{"SELECT a -- ; DELETE FROM t\nFROM b", []string{"SELECT reads b"}},
		{"(SELECT 1) UNION (SELECT 2)", []string{"SELECT reads"}},
		{"WITH a AS (SELECT 1) SELECT * FROM a", []string{"WITH SELECT reads a"}},
		{"VALUES (1), (2)", []string{"VALUES reads"}},
		{"SHOW TABLES", []string{"SHOW reads"}},
		{"describe orders", []string{"DESCRIBE reads"}},
		{"\\dt+ public.*", nil},
		{".tables", nil},
		{".schema orders\nSELECT 1;", []string{"SELECT reads"}},
		{"SELECT * FROM t\\G", []string{"SELECT reads t"}},
		{"COPY orders TO STDOUT", []string{"COPY TO reads orders"}},
		{"COPY (SELECT * FROM t) TO '/tmp/x'", []string{"COPY TO reads"}},
		{"\\copy orders to 'x.csv' csv", []string{"COPY TO reads orders"}},
		{"SELECT 1 AS drop, 2 AS truncate", []string{"SELECT reads"}},
		{"SELECT *\nFROM delete_log\nWHERE x = 1", []string{"SELECT reads delete_log"}},

		// Session.
		{"BEGIN; COMMIT", []string{"BEGIN session", "COMMIT session"}},
		{"SET search_path = a", []string{"SET session"}},
		{"USE shop; SELECT 1", []string{"USE session shop", "SELECT reads"}},
		{"PRAGMA table_info(orders)", []string{"PRAGMA session"}},
		{"EXPLAIN DELETE FROM t", []string{"EXPLAIN DELETE session t"}},
		{"EXPLAIN (VERBOSE, ANALYZE false) DELETE FROM t", []string{"EXPLAIN DELETE session t"}},
		{"EXPLAIN QUERY PLAN SELECT 1", []string{"EXPLAIN SELECT session"}},
		{"PREPARE d AS DELETE FROM t", []string{"PREPARE session"}},
		{"DECLARE c CURSOR FOR SELECT 1", []string{"DECLARE session"}},

		// Writes.
		{"INSERT INTO t VALUES (1)", []string{"INSERT writes t"}},
		{"INSERT INTO t VALUES (1) ON CONFLICT (id) DO UPDATE SET a = 1", []string{"INSERT writes t"}},
		{"INSERT INTO t SET a=1 ON DUPLICATE KEY UPDATE a=2", []string{"INSERT writes t"}},
		{"INSERT INTO log VALUES ('DELETE FROM t')", []string{"INSERT writes log"}},
		{"CREATE TABLE lines (id serial, order_id int REFERENCES orders ON DELETE CASCADE)", []string{"CREATE TABLE writes lines"}},
		{"CREATE TABLE x (\n a int\n ON UPDATE CASCADE\n ON DELETE SET NULL\n)", []string{"CREATE TABLE writes x"}},
		{"CREATE INDEX CONCURRENTLY i ON t (a)", []string{"CREATE INDEX writes i"}},
		{"CREATE OR REPLACE VIEW v AS SELECT 1", []string{"CREATE VIEW writes v"}},
		{"CREATE FUNCTION f() RETURNS void AS $$ BEGIN DELETE FROM t; END $$ LANGUAGE plpgsql", []string{"CREATE FUNCTION writes f"}},
		{"CREATE TRIGGER x AFTER DELETE ON t BEGIN DELETE FROM u; UPDATE v SET a = 1; END; SELECT 1", []string{"CREATE TRIGGER writes x", "SELECT reads"}},
		{"DELIMITER //\nCREATE PROCEDURE p() BEGIN DELETE FROM t; END//\nDELIMITER ;\nSELECT 1;", []string{"CREATE PROCEDURE writes p", "SELECT reads"}},
		{"CREATE PROCEDURE p AS BEGIN IF 1=1 BEGIN DELETE FROM t; END END\nGO\nDROP TABLE u", []string{"CREATE PROCEDURE writes p", "DROP TABLE destroys u"}},
		{"GRANT SELECT,\nDELETE ON t TO app", []string{"GRANT writes"}},
		{"ALTER TABLE t ADD COLUMN a int", []string{"ALTER TABLE writes t"}},
		{"ALTER TABLE t ADD CONSTRAINT f FOREIGN KEY (a) REFERENCES u ON DELETE CASCADE", []string{"ALTER TABLE writes t"}},
		{"ALTER TABLE t ALTER COLUMN a DROP NOT NULL", []string{"ALTER TABLE writes t"}},
		{"ALTER TABLE drops RENAME TO \"drop\"", []string{"ALTER TABLE writes drops"}},
		{"COPY orders FROM '/tmp/x'", []string{"COPY FROM writes orders"}},
		{"\\copy orders from x.csv", []string{"COPY FROM writes orders"}},
		{"VACUUM FULL t", []string{"VACUUM writes"}},
		{"ANALYZE t", []string{"ANALYZE writes t"}},
		{"SELECT * INTO backup FROM t", []string{"SELECT INTO writes backup"}},
		{"SELECT a INTO OUTFILE '/tmp/x' FROM t", []string{"SELECT INTO OUTFILE writes"}},
		{"SELECT a INTO @x FROM t", []string{"SELECT reads t"}},
		{"WITH a AS (SELECT 1) INSERT INTO t SELECT * FROM a", []string{"WITH INSERT writes t"}},
		{"MERGE INTO t USING s ON a = b WHEN MATCHED THEN UPDATE SET x = 1", []string{"MERGE writes t"}},
		{"COMMENT ON TABLE t IS 'DROP TABLE'", []string{"COMMENT writes"}},

		// Destroys.
		{"DROP TABLE carts_old", []string{"DROP TABLE destroys carts_old"}},
		{"drop table if exists public.carts cascade", []string{"DROP TABLE destroys public.carts"}},
		{"DROP DATABASE shop_dev;", []string{"DROP DATABASE destroys shop_dev"}},
		{"DROP MATERIALIZED VIEW v", []string{"DROP MATERIALIZED VIEW destroys v"}},
		{"DROP OWNED BY app", []string{"DROP OWNED destroys app"}},
		{"delete from sessions where seen < now() - interval '30 days'", []string{"DELETE destroys sessions"}},
		{"DELETE TOP (10) FROM t", []string{"DELETE destroys t"}},
		{"UPDATE users SET role='user' WHERE id=7", []string{"UPDATE destroys users"}},
		{"UPDATE \"Users\" SET a = 1", []string{"UPDATE destroys Users"}},
		{"TRUNCATE events", []string{"TRUNCATE destroys events"}},
		{"TRUNCATE TABLE ONLY a.events", []string{"TRUNCATE destroys a.events"}},
		{"BEGIN;\nALTER TABLE orders DROP COLUMN legacy_total;\nCOMMIT;", []string{"BEGIN session", "ALTER TABLE DROP COLUMN destroys orders", "COMMIT session"}},
		{"ALTER TABLE t ADD a int, DROP b", []string{"ALTER TABLE DROP COLUMN destroys t"}},
		{"ALTER TABLE t DROP CONSTRAINT c", []string{"ALTER TABLE DROP CONSTRAINT destroys t"}},
		{"ALTER TABLE t DELETE WHERE a = 1", []string{"ALTER TABLE DELETE destroys t"}},
		{"ALTER TABLE t ON CLUSTER c DROP PARTITION '2024'", []string{"ALTER TABLE DROP PARTITION destroys t"}},
		{"REPLACE INTO t VALUES (1)", []string{"REPLACE destroys t"}},
		{"INSERT OR REPLACE INTO t VALUES (1)", []string{"INSERT OR REPLACE destroys t"}},
		{"CREATE OR REPLACE TABLE t (a int)", []string{"CREATE OR REPLACE TABLE destroys t"}},
		{"MERGE INTO t USING s ON a = b WHEN MATCHED THEN DELETE", []string{"MERGE DELETE destroys t"}},
		{"WITH old AS (DELETE FROM t RETURNING *) SELECT * FROM old", []string{"WITH DELETE destroys t"}},
		{"WITH a AS (SELECT 1) DELETE FROM t USING a", []string{"WITH DELETE destroys t"}},
		{"WITH a AS (SELECT 1)\nUPDATE t SET x = 1", []string{"WITH UPDATE destroys t"}},
		{"EXPLAIN ANALYZE DELETE FROM t", []string{"EXPLAIN ANALYZE DELETE destroys t"}},
		{"EXPLAIN (ANALYZE, BUFFERS) UPDATE t SET a = 1", []string{"EXPLAIN ANALYZE UPDATE destroys t"}},
		{"ANALYZE FORMAT=JSON DELETE FROM t", []string{"ANALYZE DELETE destroys t"}},
		{"/*!50001 DROP TABLE t */;", []string{"DROP TABLE destroys t"}},
		{"DROP/**/TABLE t", []string{"DROP TABLE destroys t"}},
		{"SELECT 1; DROP TABLE t; SELECT 2", []string{"SELECT reads", "DROP TABLE destroys t", "SELECT reads"}},
		{"DO $$ BEGIN DELETE FROM t; END $$", []string{"DO session", "DELETE destroys t"}},
		{"DO $$ BEGIN IF EXISTS (SELECT 1) THEN DROP TABLE t; ELSE PERFORM 1; END IF; END $$", []string{"DO session", "IF session", "DROP TABLE destroys t", "PERFORM reads"}},
		{"DO $$ BEGIN EXECUTE 'DROP TABLE ' || n; END $$", []string{"DO session", "EXECUTE unknown", "DROP TABLE destroys x"}},
		{"DO $$ BEGIN EXECUTE format('DROP TABLE %I', n); END $$", []string{"DO session", "EXECUTE unknown format", "DROP TABLE destroys I"}},
		{"PREPARE d AS DELETE FROM t; EXECUTE d", []string{"PREPARE session", "EXECUTE unknown d", "DELETE destroys t"}},
		{"PREPARE s FROM 'DROP TABLE t'; EXECUTE s;", []string{"PREPARE session", "EXECUTE unknown s", "DROP TABLE destroys t"}},
		{"EXEC('DROP TABLE t')", []string{"EXEC unknown", "DROP TABLE destroys t"}},
		{"EXEC sp_executesql N'DELETE FROM t'", []string{"EXEC unknown sp_executesql", "DELETE destroys t"}},
		{"USE shop\nDELETE FROM t\nGO", []string{"USE session shop", "DELETE destroys t"}},
		{"IF OBJECT_ID('t') IS NOT NULL DROP TABLE t", []string{"IF session", "DROP TABLE destroys t"}},
		{"SELECT * FROM t\nDELETE FROM t", []string{"SELECT reads t", "DELETE destroys t"}},
		{"SELECT dblink_exec('host=a', 'DROP TABLE t')", []string{"SELECT reads", "DROP TABLE destroys t"}},
		{"SELECT lo_unlink(1)", []string{"SELECT destroys"}},
		{"COPY (DELETE FROM t RETURNING *) TO STDOUT", []string{"COPY DELETE destroys t"}},
		{"SELECT 'DROP TABLE ' || t FROM x \\gexec", []string{"SELECT reads x", "\\gexec unknown"}},
		{"\\! ls\nDROP TABLE t", []string{"DROP TABLE destroys t"}},
		{"\\c shop \\\\ DROP TABLE t", []string{"DROP TABLE destroys t"}},
		{"CALL wipe()", []string{"CALL unknown wipe"}},
		{"frobnicate x", []string{"FROBNICATE unknown"}},
	} {
		t.Run(tt.text, func(t *testing.T) {
			t.Parallel()
			if got := list(tt.text); !slices.Equal(got, tt.want) {
				t.Errorf("%s\ngot:  %q\nwant: %q", tt.text, got, tt.want)
			}
		})
	}
}

func TestShells(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		text string
		want []string
	}{
		{"SELECT 1", nil},
		{`\! npm publish`, []string{"npm publish"}},
		{"SELECT 1;\n\\! ls -l | wc", []string{"ls -l | wc"}},
		{".shell npm publish", []string{"npm publish"}},
		{".system ls", []string{"ls"}},
		{"system ls;", []string{"ls"}},
		{"SELECT system FROM t", nil},
		{`\o |gzip > x`, []string{"gzip > x"}},
		{`SELECT 1 \g |sh`, []string{"sh"}},
		{".output |sh", []string{"sh"}},
		{"COPY t TO PROGRAM 'gzip > x'", []string{"gzip > x"}},
		{"copy orders to program 'sh -c id'", []string{"sh -c id"}},
		{`\copy t from program 'cat x'`, []string{"cat x"}},
		{"EXEC xp_cmdshell 'del x'", []string{"del x"}},
		{"SELECT '\\! npm publish'", nil},
		{"-- \\! npm publish", nil},
		{"SELECT 'COPY t TO PROGRAM ''x'''", nil},
	} {
		if got := Shells(tt.text); !slices.Equal(got, tt.want) {
			t.Errorf("Shells(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

func TestFiles(t *testing.T) {
	t.Parallel()
	render := func(us []FileUse) string {
		var out []string
		for _, u := range us {
			s := "read "
			if u.Write {
				s = "write "
			}
			if u.Run {
				s = "run "
			}
			if u.Server {
				s = "server " + s
			}
			out = append(out, s+u.Path)
		}
		return strings.Join(out, ", ")
	}
	for _, tt := range []struct{ text, want string }{
		{"SELECT 1", ""},
		{`\i schema.sql`, "run schema.sql"},
		{"source a.sql;", "run a.sql"},
		{".read a.sql", "run a.sql"},
		{`\o '/srv/live/a b.txt'`, "write /srv/live/a b.txt"},
		{`\o`, ""},
		{`\t`, ""},
		{".output x.csv\nSELECT 1;", "write x.csv"},
		{".output stdout", ""},
		{".backup main.db", "write main.db"},
		{`\copy t to out/x.csv csv header`, "write out/x.csv"},
		{`\copy t from 'x.csv'`, "read x.csv"},
		{`\copy (select 1) to stdout`, ""},
		{"COPY t TO '/srv/x'", "server write /srv/x"},
		{"COPY t FROM STDIN", ""},
		{"SELECT 1 INTO OUTFILE '/tmp/x'", "server write /tmp/x"},
		{"LOAD DATA LOCAL INFILE 'x' INTO TABLE t", "read x"},
		{"VACUUM INTO 'b.db'", "write b.db"},
		{"ATTACH DATABASE 'b.db' AS b", "read b.db"},
		{"SELECT writefile('a', 'b')", "write a"},
		{"SELECT 'INTO OUTFILE ''x'''", ""},
	} {
		if got := render(Files(tt.text)); got != tt.want {
			t.Errorf("Files(%q) = %q, want %q", tt.text, got, tt.want)
		}
	}
}

// TestCommentsAreFree holds the law that a commented or quoted statement is
// none.
func TestCommentsAreFree(t *testing.T) {
	t.Parallel()
	for _, s := range []string{"DROP TABLE t", "DELETE FROM t WHERE a = 1", "UPDATE t SET a = 1", "TRUNCATE t"} {
		for _, wrap := range []string{"-- %", "/* % */ SELECT 1", "SELECT '%'", "SELECT $q$%$q$", "# %", "SELECT \"%\"", "/*\n%\n*/"} {
			text := strings.Replace(wrap, "%", s, 1)
			for _, st := range Statements(text) {
				if st.Effect != Reads {
					t.Errorf("%q: %+v", text, st)
				}
			}
		}
	}
}

// FuzzStatements holds the reader to: no panic, and every statement's text a
// piece of what was read.
func FuzzStatements(f *testing.F) {
	for _, s := range []string{
		"DO $$ BEGIN IF a THEN EXECUTE format('DROP %I', b); END IF; END $$", "DELIMITER //\nCREATE PROCEDURE p() BEGIN CASE WHEN 1 THEN 2 END CASE; END//",
		"/*!50000 DROP */ TABLE `a``b`; \\copy (select 1) to 'x'", "WITH a AS (MERGE INTO t USING s ON 1=1 WHEN MATCHED THEN DELETE) SELECT 1 \\gexec", "ALTER TABLE t ON CLUSTER c DROP",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, s := range Statements(text) {
			if s.Verb == "" && s.Text == "" {
				t.Errorf("an empty statement in %q", text)
			}
		}
		Shells(text)
		Files(text)
	})
}

// TestLarge holds the reader to linear work: inputs that repeat one piece. What
// is quadratic takes minutes here.
func TestLarge(t *testing.T) {
	t.Parallel()
	for _, piece := range []string{"(", "/*", "'", "\"", "$$", "$a$", "SELECT 1;", "a\n", "DROP TABLE t\n", "UPDATE a ", "WITH a AS (", "E'\\'", "EXECUTE 'a' ", "#", "--", "\\", "\\g ", "[", ".a\n", "BEGIN ", "CREATE FUNCTION ", "DO $a$", "PREPARE a AS b;", "EXECUTE a;", "/*!", "DELIMITER a\n", "dblink('a b'"} {
		text := strings.Repeat(piece, (1<<16)/len(piece))
		Statements(text)
		Shells(text)
		Files(text)
	}
}

func BenchmarkStatements(b *testing.B) {
	const text = "BEGIN; ALTER TABLE orders DROP COLUMN legacy_total; DELETE FROM t WHERE a = 'x'; COMMIT;"
	b.ReportAllocs()
	for b.Loop() {
		Statements(text)
	}
}
