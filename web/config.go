package web

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
)

// Config is what an operator may choose about the server. Make it with
// ParseConfig.
type Config struct {
	// Addr is the TCP address to listen on, host:port.
	Addr string
	// PublicURL is the origin that people type, nil when it is Addr itself.
	// With https the cookie is Secure and __Host-, and HSTS is sent; http is
	// taken for this machine only.
	PublicURL *url.URL
	// TrustedProxies may say with X-Forwarded-For whom they speak for. From
	// anybody else the header is ignored.
	TrustedProxies []netip.Prefix
}

// ParseConfig reads a Config from text, strictly: an origin has no path, a
// proxy is an address or a CIDR prefix.
func ParseConfig(addr, publicURL string, proxies []string) (Config, error) {
	c := Config{Addr: addr}
	_, port, err := net.SplitHostPort(addr)
	if err != nil {
		return c, fmt.Errorf("address %q: want host:port, such as 127.0.0.1:8080", addr)
	}
	if n, err := strconv.ParseUint(port, 10, 16); err != nil {
		return c, fmt.Errorf("address %q: %q is not a port from 0 to 65535", addr, port)
	} else if host, _, _ := net.SplitHostPort(addr); host == "" && n == 0 {
		return c, fmt.Errorf("address %q: name a host or a port", addr)
	}
	if publicURL != "" {
		u, err := url.Parse(publicURL)
		if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" ||
			u.User != nil || u.Path != "" && u.Path != "/" || u.RawQuery != "" || u.Fragment != "" {
			return c, fmt.Errorf("public URL %q: want an origin, such as https://fees.example.org", publicURL)
		}
		if u.Scheme == "http" && !loopback(u.Hostname()) {
			return c, fmt.Errorf("public URL %q: want https://, since passwords travel to it; http:// is for this machine only", publicURL)
		}
		c.PublicURL = &url.URL{Scheme: u.Scheme, Host: u.Host}
	}
	for _, text := range proxies {
		p, err := parseProxy(text)
		if err != nil {
			return c, fmt.Errorf("trusted proxy %q: want an address or a prefix, such as 10.0.0.0/8", text)
		}
		c.TrustedProxies = append(c.TrustedProxies, p)
	}
	return c, nil
}

func parseProxy(text string) (netip.Prefix, error) {
	if a, err := netip.ParseAddr(text); err == nil {
		return netip.PrefixFrom(a, a.BitLen()), nil
	}
	p, err := netip.ParsePrefix(text)
	return p.Masked(), err
}

// Secure says whether people reach the server over TLS.
func (c Config) Secure() bool { return c.PublicURL != nil && c.PublicURL.Scheme == "https" }

// Local says whether only this machine can reach Addr.
func (c Config) Local() bool {
	host, _, _ := net.SplitHostPort(c.Addr)
	return loopback(host)
}

func loopback(host string) bool {
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || err == nil && ip.IsLoopback()
}
