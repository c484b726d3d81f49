package wiretest

import (
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
)

// Proxy stands between a driver and a server and does to their messages what a
// plan says. Its methods are safe for concurrent use.
type Proxy struct {
	listener net.Listener
	target   string
	ctx      context.Context
	stop     context.CancelFunc
	working  sync.WaitGroup

	mu      sync.Mutex
	plan    func(Command) Fault
	seen    map[[2]string]int
	refuses bool
	links   map[*link]bool
	late    int        // commands that are held back
	settled *sync.Cond // late is 0
}

// StartProxy runs a proxy to s, which from then on tells drivers that this is
// where it lives. To a server of another kind a driver has to be told to stay
// with the proxy (directConnection=true).
func StartProxy(s *Server) (*Proxy, error) {
	ctx, stop := context.WithCancel(context.Background())
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		stop()
		return nil, fmt.Errorf("start the proxy: %w", err)
	}
	p := &Proxy{
		listener: listener, target: s.Addr(), ctx: ctx, stop: stop,
		seen: map[[2]string]int{}, links: map[*link]bool{},
	}
	p.settled = sync.NewCond(&p.mu)
	s.advertise(listener.Addr().String())
	p.working.Go(p.accept)
	return p, nil
}

// URI is the server's address by way of the proxy.
func (p *Proxy) URI() string { return "mongodb://" + p.listener.Addr().String() + "/" }

// Plan makes plan decide over every command from now on, and counts them anew.
// It is called for one command at a time. No plan passes everything.
func (p *Proxy) Plan(plan func(Command) Fault) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.plan = plan
	clear(p.seen)
}

// Settle waits until no command is held back any more.
func (p *Proxy) Settle() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for p.late > 0 {
		p.settled.Wait()
	}
}

// hold counts a command that is held back, or one that no longer is.
func (p *Proxy) hold(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.late += n; p.late == 0 {
		p.settled.Broadcast()
	}
}

// Refuse ends every connection and lets nobody in until Mend.
func (p *Proxy) Refuse() {
	p.mu.Lock()
	p.refuses = true
	links := p.links
	p.links = map[*link]bool{}
	p.mu.Unlock()
	for l := range links {
		l.cut()
	}
}

// Mend passes everything again.
func (p *Proxy) Mend() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuses, p.plan = false, nil
}

// Close ends the proxy and every connection through it.
func (p *Proxy) Close() error {
	p.stop()
	err := p.listener.Close()
	p.Refuse()
	p.working.Wait()
	if err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("close the proxy: %w", err)
	}
	return nil
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.working.Go(func() { p.connect(client) })
	}
}

func (p *Proxy) connect(client net.Conn) {
	var dialer net.Dialer
	server, err := dialer.DialContext(p.ctx, "tcp", p.target)
	l := &link{p: p, client: client, server: server, answers: map[int32]Fault{}, ended: make(chan struct{})}
	p.mu.Lock()
	refused := p.refuses || err != nil
	p.links[l] = true
	p.mu.Unlock()
	if refused {
		l.cut()
	} else {
		p.working.Go(l.forward)
		l.back()
	}
	p.mu.Lock()
	delete(p.links, l)
	p.mu.Unlock()
}

// decide asks the plan about a request.
func (p *Proxy) decide(m Message) Fault {
	command, err := m.Command()
	if err != nil {
		return Fault{}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	c := Command{Name: CommandName(command), Coll: collectionOf(command), Doc: command}
	p.seen[[2]string{c.Name, c.Coll}]++
	c.N = p.seen[[2]string{c.Name, c.Coll}]
	if p.plan == nil {
		return Fault{}
	}
	return p.plan(c)
}
