package web

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

func TestParseConfig(t *testing.T) {
	cases := []struct {
		name, addr, public string
		proxies            []string
		want               string // part of the error, "" for none
		secure, local      bool
	}{
		{name: "default", addr: "127.0.0.1:8080", local: true},
		{name: "any port", addr: "127.0.0.1:0", local: true},
		{name: "name", addr: "localhost:80", local: true},
		{name: "IPv6", addr: "[::1]:8080", local: true},
		{name: "everywhere", addr: ":8080"},
		{name: "behind TLS", addr: "10.0.0.5:8080", public: "https://fees.example.org", proxies: []string{"10.0.0.0/8", "::1"}, secure: true},
		{name: "slash", addr: ":80", public: "https://fees.example.org/", secure: true},
		{name: "plain proxy", addr: ":80", public: "http://fees.lan:8000", want: "want https://"},
		{name: "plain address", addr: ":80", public: "http://192.0.2.1", want: "want https://"},
		{name: "plain on this machine", addr: "127.0.0.1:80", public: "http://localhost:8000", local: true},
		{name: "plain on this machine, IPv6", addr: ":80", public: "http://[::1]:8000"},
		{name: "no port", addr: "127.0.0.1", want: "host:port"},
		{name: "no number", addr: "127.0.0.1:http", want: "not a port"},
		{name: "too high", addr: "127.0.0.1:65536", want: "not a port"},
		{name: "nothing", addr: ":0", want: "name a host or a port"},
		{name: "path", addr: ":80", public: "https://example.org/fees", want: "want an origin"},
		{name: "no scheme", addr: ":80", public: "fees.example.org", want: "want an origin"},
		{name: "other scheme", addr: ":80", public: "ftp://fees.example.org", want: "want an origin"},
		{name: "user", addr: ":80", public: "https://a:b@fees.example.org", want: "want an origin"},
		{name: "query", addr: ":80", public: "https://fees.example.org?a=b", want: "want an origin"},
		{name: "proxy name", addr: ":80", proxies: []string{"proxy"}, want: "want an address or a prefix"},
		{name: "proxy bits", addr: ":80", proxies: []string{"10.0.0.0/33"}, want: "want an address or a prefix"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cfg, err := ParseConfig(c.addr, c.public, c.proxies)
			switch {
			case c.want == "" && err != nil:
				t.Fatalf("refused: %v", err)
			case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
				t.Fatalf("error is %v, want one that says %q", err, c.want)
			case err == nil && (cfg.Secure() != c.secure || cfg.Local() != c.local):
				t.Errorf("secure %t, local %t; want %t, %t", cfg.Secure(), cfg.Local(), c.secure, c.local)
			}
		})
	}
}

func TestClientAddress(t *testing.T) {
	cases := []struct {
		name    string
		proxies []string
		from    string
		xff     []string
		want    string
	}{
		{"no proxy, header ignored", nil, "192.0.2.9:1", []string{"198.51.100.1"}, "192.0.2.9"},
		{"loopback is no proxy by itself", nil, "127.0.0.1:1", []string{"198.51.100.1"}, "127.0.0.1"},
		{"proxy", []string{"10.0.0.0/8"}, "10.1.1.1:1", []string{"198.51.100.1"}, "198.51.100.1"},
		{"client's own header before the proxy's", []string{"10.0.0.0/8"}, "10.1.1.1:1", []string{"1.2.3.4, 198.51.100.1"}, "198.51.100.1"},
		{"two headers", []string{"10.0.0.0/8"}, "10.1.1.1:1", []string{"1.2.3.4", "198.51.100.1"}, "198.51.100.1"},
		{"two proxies", []string{"10.0.0.0/8", "172.16.0.1"}, "10.1.1.1:1", []string{"198.51.100.1, 172.16.0.1"}, "198.51.100.1"},
		{"private networks are not trusted unasked", []string{"10.0.0.0/8"}, "192.168.1.1:1", []string{"198.51.100.1"}, "192.168.1.1"},
		{"nonsense from the proxy", []string{"10.0.0.0/8"}, "10.1.1.1:1", []string{"unknown"}, "10.1.1.1"},
		{"IPv6", []string{"fd00::/8"}, "[fd00::1]:1", []string{"2001:db8::7"}, "2001:db8::7"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			cfg, err := ParseConfig(":80", "", c.proxies)
			if err != nil {
				t.Fatal(err)
			}
			req := httptest.NewRequest(http.MethodGet, "/", nil)
			req.RemoteAddr = c.from
			req.Header["X-Forwarded-For"] = c.xff
			if got := ipExtractor(cfg.TrustedProxies)(req); got != c.want {
				t.Errorf("address is %s, want %s", got, c.want)
			}
		})
	}
}
