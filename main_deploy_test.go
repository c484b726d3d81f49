package main

import (
	"maps"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/alecthomas/kong"
	"go.mongodb.org/mongo-driver/v2/mongo/options"
	"go.yaml.in/yaml/v3"

	"raseed/store"
)

// composeFile is what the tests read of deploy/compose.yaml.
type composeFile struct {
	Services map[string]composeService
	Networks map[string]struct{ Internal bool }
	Volumes  map[string]any
}

type composeService struct {
	Command     []string
	Environment map[string]string
	Ports       []string
	Networks    []string
	Volumes     []string
	ReadOnly    bool                         `yaml:"read_only"`
	DependsOn   map[string]map[string]string `yaml:"depends_on"`
	Build       struct{ Dockerfile string }  `yaml:"build"`
	Healthcheck struct{ Test []string }      `yaml:"healthcheck"`
}

func readCompose(t *testing.T) composeFile {
	t.Helper()
	var c composeFile
	if err := yaml.Unmarshal([]byte(deployed(t, "deploy/compose.yaml")), &c); err != nil {
		t.Fatalf("deploy/compose.yaml: %v", err)
	}
	return c
}

func deployed(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// asEnv fills ${NAME:?…} in as compose would.
func asEnv(text string) string {
	return regexp.MustCompile(`\$\{(\w+):\?[^}]*\}`).ReplaceAllString(text, "secret-$1")
}

func TestComposeServesOnItsReplicaSet(t *testing.T) {
	c := readCompose(t)
	raseed := c.Services["raseed"]
	uri := asEnv(raseed.Environment["RASEED_DB"])
	if !onServer(uri) {
		t.Fatalf("raseed serve --db would not take %q for a MongoDB", uri)
	}
	opts := options.Client().ApplyURI(uri)
	if err := opts.Validate(); err != nil {
		t.Fatalf("the driver refuses %q: %v", uri, err)
	}
	if opts.ReplicaSet == nil || opts.Auth == nil || opts.Auth.Password != "secret-RASEED_DB_PASSWORD" {
		t.Fatalf("%q names no replica set, or has a password of its own", uri)
	}
	for _, host := range opts.Hosts {
		name, port, err := net.SplitHostPort(host)
		if err != nil || port != "27017" {
			t.Errorf("host %q of RASEED_DB: want SERVICE:27017", host)
		}
		member, ok := c.Services[name]
		if !ok {
			t.Errorf("RASEED_DB names %s, which is no service", name)
			continue
		}
		if i := slices.Index(member.Command, "--replSet"); i < 0 || member.Command[i+1] != *opts.ReplicaSet {
			t.Errorf("%s runs %q, RASEED_DB says the set is %s", name, member.Command, *opts.ReplicaSet)
		}
		if !slices.Contains(member.Command, "--keyFile") {
			t.Errorf("%s runs %q: without --keyFile it asks nobody for a password", name, member.Command)
		}
		if len(member.Ports) > 0 {
			t.Errorf("%s publishes %q: only raseed needs it", name, member.Ports)
		}
		for _, network := range member.Networks {
			if !c.Networks[network].Internal {
				t.Errorf("%s is on %s, which is not internal", name, network)
			}
		}
		if !slices.Contains(member.Volumes, name+":/data/db") {
			t.Errorf("%s keeps its data in %q, want a volume of its own", name, member.Volumes)
		}
		if c.Services["setup"].DependsOn[name]["condition"] != "service_healthy" || len(member.Healthcheck.Test) == 0 {
			t.Errorf("setup does not wait until %s answers", name)
		}
	}
	if len(opts.Hosts) != 3 {
		t.Errorf("RASEED_DB names %d members, want 3: a majority survives the loss of one", len(opts.Hosts))
	}
	setup := c.Services["setup"].Environment
	if setup["SET"] != *opts.ReplicaSet || setup["MEMBERS"] != strings.Join(opts.Hosts, ",") {
		t.Errorf("setup makes the set %s of %s; RASEED_DB is of %s on %q", setup["SET"], setup["MEMBERS"], *opts.ReplicaSet, opts.Hosts)
	}
	if raseed.DependsOn["setup"]["condition"] != "service_completed_successfully" {
		t.Error("raseed does not wait for the set")
	}
	for name, service := range c.Services {
		for _, volume := range service.Volumes {
			from, _, _ := strings.Cut(volume, ":")
			if _, declared := c.Volumes[from]; !declared && !strings.HasPrefix(from, ".") {
				t.Errorf("%s mounts %s, which is not declared", name, from)
			}
		}
	}
}

func TestComposeKeepsSecretsOut(t *testing.T) {
	example := deployed(t, "deploy/env.example")
	for name, service := range readCompose(t).Services {
		for key, value := range service.Environment {
			if strings.Contains(key, "PASSWORD") && !regexp.MustCompile(`^\$\{\w+:\?[^}]+\}$`).MatchString(value) {
				t.Errorf("%s: %s is %q, want it from deploy/.env and an error without it", name, key, value)
			}
			for _, from := range regexp.MustCompile(`\$\{(\w+)`).FindAllStringSubmatch(value, -1) {
				if !regexp.MustCompile(`(?m)^#?` + from[1] + `=`).MatchString(example) {
					t.Errorf("%s: %s comes from %s, which deploy/env.example does not have", name, key, from[1])
				}
			}
		}
		if strings.Contains(strings.Join(service.Command, " "), "PASSWORD") {
			t.Errorf("%s has a password in its command line, where every process list shows it: %q", name, service.Command)
		}
	}
	for _, file := range []string{".gitignore", ".dockerignore"} {
		if !strings.Contains(deployed(t, file), "\n/deploy/.env\n") {
			t.Errorf("%s does not keep the passwords out", file)
		}
	}
}

// serveVariables are the environment variables that raseed serve reads.
func serveVariables(t *testing.T) []string {
	t.Helper()
	parser, err := kong.New(&commands{})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, command := range parser.Model.Children {
		if command.Name == "serve" {
			for _, flag := range command.Flags {
				names = append(names, flag.Envs...)
			}
		}
	}
	return names
}

func TestComposeRunsTheImageAsItIs(t *testing.T) {
	raseed := readCompose(t).Services["raseed"]
	known := serveVariables(t)
	for _, name := range slices.Sorted(maps.Keys(raseed.Environment)) {
		if !slices.Contains(known, name) {
			t.Errorf("raseed serve does not read %s, only %q", name, known)
		}
	}
	_, port, err := net.SplitHostPort(raseed.Environment["RASEED_ADDR"])
	if err != nil {
		t.Fatalf("RASEED_ADDR: %v", err)
	}
	if want := "127.0.0.1:" + port + ":" + port; !slices.Equal(raseed.Ports, []string{want}) {
		t.Errorf("ports are %q, want %s: without TLS it is for this machine", raseed.Ports, want)
	}
	if !raseed.ReadOnly {
		t.Error("raseed can write into its container; it has nothing to write there")
	}

	image := deployed(t, raseed.Build.Dockerfile)
	goVersion := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(deployed(t, "go.mod"))[1]
	for _, line := range []string{
		"FROM golang:" + goVersion + " AS build", "CGO_ENABLED=0 go build", "FROM scratch",
		"USER 65532:65532", `ENTRYPOINT ["/raseed"]`, `CMD ["serve"]`, "EXPOSE " + port,
	} {
		if !strings.Contains(image, line) {
			t.Errorf("%s does not say %s", raseed.Build.Dockerfile, line)
		}
	}
}

// TestShardingIsAsDeclared: what docs/operations.md shards is what the store
// can have sharded, and nothing is left out.
func TestShardingIsAsDeclared(t *testing.T) {
	guide := deployed(t, "docs/operations.md")
	said := map[string]string{}
	for _, m := range regexp.MustCompile(`sh\.shardCollection\("raseed\.(\w+)", \{(\w+): 1\}\)`).FindAllStringSubmatch(guide, -1) {
		said[m[1]] = m[2]
	}
	_, rest, _ := strings.Cut(guide, "Not sharded: ")
	whole, _, _ := strings.Cut(rest, ".")
	for _, m := range regexp.MustCompile("`(\\w+)`").FindAllStringSubmatch(whole, -1) {
		said[m[1]] = ""
	}
	for _, c := range store.Schema() {
		field, found := said[c.Name]
		if !found {
			t.Errorf("docs/operations.md does not say whether to shard %s", c.Name)
		} else if field != c.Shard {
			t.Errorf("docs/operations.md shards %s by %q, the store has it by %q", c.Name, field, c.Shard)
		}
		for _, x := range c.Indexes {
			if x.Unique && c.Shard != "" && x.Keys[0].Path != c.Shard {
				t.Errorf("%s is sharded by %s, which does not lead its unique index %s", c.Name, c.Shard, x.Name)
			}
		}
		delete(said, c.Name)
	}
	for name := range said {
		t.Errorf("docs/operations.md speaks of %s, which is no collection", name)
	}
}

// TestRoleDeletesNoRow: the user that deploy/setup.js makes may delete what the
// store deletes, which is what expires or is derived, and nothing else.
func TestRoleDeletesNoRow(t *testing.T) {
	list := regexp.MustCompile(`\.\.\.\[(.*)\]\.map\(\(collection\) => .*"remove"`)
	script := deployed(t, "deploy/setup.js")
	if n := strings.Count(script, `"remove"`); n != 1 || !list.MatchString(script) {
		t.Fatalf("deploy/setup.js gives the right to remove %d times, want once, for a list of collections", n)
	}
	allowed := regexp.MustCompile(`\w+`).FindAllString(list.FindStringSubmatch(script)[1], -1)
	for _, c := range []string{"payments", "bills", "runs", "students"} {
		if slices.Contains(allowed, c) {
			t.Errorf("deploy/setup.js lets Raseed delete from %s", c)
		}
	}
	deleted := map[string]bool{}
	for _, c := range store.Schema() {
		if c.TTL != "" {
			deleted[c.Name] = true
		}
	}
	files, err := filepath.Glob("store/*.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("the store's files: %d, %v", len(files), err)
	}
	for _, file := range files {
		if !strings.HasSuffix(file, "_test.go") {
			for _, m := range regexp.MustCompile(`\.Delete(?:One|Many)\(ctx, (\w+)`).FindAllStringSubmatch(deployed(t, file), -1) {
				deleted[m[1]] = true
			}
		}
	}
	slices.Sort(allowed)
	if needed := slices.Sorted(maps.Keys(deleted)); !slices.Equal(allowed, needed) {
		t.Errorf("deploy/setup.js lets Raseed delete from %q, the store deletes from %q", allowed, needed)
	}
}
