package cluster_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/nats-io/nkeys"

	"qhsh/pluginclient/task/cluster"
)

func TestURL(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]string{
		"":                                    "URL of a cluster: it is empty: want nats://HOST:PORT or tls://HOST:PORT",
		"nats://farm.example:4222":            "URL of a cluster: farm.example:4222 is another machine: credentials are required, as in nats://USER:PASSWORD@farm.example:4222 or ?creds=FILE",
		"http://localhost":                    "URL of a cluster: http://localhost: want nats://HOST:PORT or tls://HOST:PORT",
		"localhost:4222":                      "URL of a cluster: want nats://HOST:PORT or tls://HOST:PORT",
		"nats://u:secret@%zz":                 "URL of a cluster: cannot be parsed: want nats://USER:PASSWORD@HOST:PORT",
		"nats://localhost?cred=x":             `URL of a cluster: unknown option "cred": use creds, ca, cert and key`,
		"nats://localhost?cert=x":             "URL of a cluster: cert and key belong together",
		"http://user:secret@farm.example:422": "URL of a cluster: http://user:xxxxx@farm.example:422: want nats://HOST:PORT or tls://HOST:PORT",
	} {
		if _, err := cluster.Connect(t.Context(), url, "", cluster.Options{}); err == nil || err.Error() != want || !errors.Is(err, cluster.ErrURL) {
			t.Errorf("%s: %v, want %s", url, err, want)
		}
	}
	for _, url := range []string{
		"nats://@farm", "nats://:@farm", "nats://:secret@farm", "nats://user:@farm", "nats://farm?creds=", "nats://secret:@farm", "nats://localhost,nats://farm", // no credentials
		"user:secret@farm", "user:secret@farm:4222", "secret@farm", "//user:secret@farm", "http://secret@farm", "http://secret:@farm", "nats:user:secret@farm",
		"nats://user/secret@localhost", "nats://user#secret@localhost", "nats://localhost/secret", "nats://user:se/secret@localhost", "nats://user:%secret@localhost",
	} {
		if _, err := cluster.Connect(t.Context(), url, "", cluster.Options{}); !errors.Is(err, cluster.ErrURL) || strings.Contains(err.Error(), "secret") {
			t.Errorf("%s: %v, want an error without the secret", url, err)
		}
	}
}

// withPassword makes a server demand a password.
func withPassword(password string) func(*server.Options) {
	return func(o *server.Options) { o.Username, o.Password = "qhsh", password }
}

// TestAccess connects in every way that a URL has to servers that demand it. A run must work where
// the connection does.
func TestAccess(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ca, other := newAuthority(t, dir, "ca"), newAuthority(t, dir, "other")
	ca.sign(t, "server")
	ca.sign(t, "client")
	other.sign(t, "stranger")
	accounts := newAccounts(t, dir)
	file := func(name string) string { return url.QueryEscape(filepath.Join(dir, name)) }
	const (
		refused    = ": the server refuses the credentials: use others, as in nats://USER:PASSWORD@HOST or ?creds=FILE"
		authority  = ": name the server as its certificate does, and the authority that signed it with ?ca=FILE"
		wantsYours = ": the server wants a certificate that its authority has signed: use ?cert=FILE&key=FILE"
	)
	for _, server := range []struct {
		name   string
		option func(*server.Options)
		urls   map[string]string // to the end of the error; empty: it works
	}{
		{"password", withPassword("secret"), map[string]string{
			"nats://qhsh:secret@ADDRESS": "",
			"nats://qhsh:a,b@ADDRESS":    "nats://qhsh:xxxxx@ADDRESS: nats: Authorization Violation" + refused,
			"nats://qhsh:wrong@ADDRESS":  "nats://qhsh:xxxxx@ADDRESS: nats: Authorization Violation" + refused,
			"nats://ADDRESS":             "nats://ADDRESS: nats: Authorization Violation" + refused,
			"tls://qhsh:secret@ADDRESS":  "tls://qhsh:xxxxx@ADDRESS: nats: secure connection not available: the server has no TLS: use nats:// without ca, cert and key",
		}},
		{"token", func(o *server.Options) { o.Authorization = "secret" }, map[string]string{
			"nats://secret@ADDRESS": "",
			"nats://wrong@ADDRESS":  "nats://xxxxx@ADDRESS: nats: Authorization Violation" + refused,
		}},
		{"accounts", accounts.option, map[string]string{
			"nats://ADDRESS?creds=" + file("user.creds"):   "",
			"nats://ADDRESS?creds=" + file("other.creds"):  "nats://ADDRESS: nats: Authorization Violation" + refused,
			"nats://ADDRESS?creds=" + file("poor.creds"):   "nats://ADDRESS: the account has no JetStream: enable it for the account, or use another user",
			"nats://ADDRESS?creds=" + file("absent.creds"): "absent.creds: no such file or directory",
		}},
		{"TLS", ca.option(t, false), map[string]string{
			"tls://ADDRESS?ca=" + file("ca.pem"):     "",
			"nats://ADDRESS?ca=" + file("ca.pem"):    "",
			"tls://ADDRESS":                          authority,
			"tls://ADDRESS?ca=" + file("other.pem"):  authority,
			"tls://ADDRESS?ca=" + file("absent.pem"): "absent.pem: no such file or directory",
		}},
		{"certificates", ca.option(t, true), map[string]string{
			"tls://ADDRESS?ca=" + file("ca.pem") + "&cert=" + file("client.pem") + "&key=" + file("client.key"): "",
			"tls://ADDRESS?ca=" + file("ca.pem"): wantsYours,
			"tls://ADDRESS?ca=" + file("ca.pem") + "&cert=" + file("stranger.pem") + "&key=" + file("stranger.key"): wantsYours,
			"tls://ADDRESS?ca=" + file("ca.pem") + "&cert=" + file("client.pem") + "&key=" + file("absent.key"):     "absent.key: no such file or directory",
		}},
	} {
		t.Run(server.name, func(t *testing.T) {
			t.Parallel()
			s := startServer(t, server.option)
			host := strings.TrimPrefix(s.url(), "nats://")
			for url, want := range server.urls {
				url = strings.ReplaceAll(url, "ADDRESS", host)
				if want == "" {
					runAt(t, url)
					continue
				}
				want = strings.ReplaceAll(want, "ADDRESS", host)
				c, err := cluster.Connect(t.Context(), url, "", cluster.Options{Timing: testTiming})
				if err == nil {
					c.Close()
				}
				if err == nil || !strings.HasSuffix(err.Error(), want) || strings.Contains(err.Error(), "secret") {
					t.Errorf("%s: %v, want ... %s", url, err, want)
				}
			}
		})
	}
}

// runAt performs a run at a URL.
func runAt(t *testing.T, url string) {
	t.Helper()
	r := startRun(t, connect(t, url, testTiming), ignore)
	startWorkerAt(t, url, 2, testTiming, double)
	if diff := cmp.Diff(doubled(20), doAll(t, r, 20)); diff != "" {
		t.Errorf("%s: %s", url, diff)
	}
}

// TestRefusedLater: a server that is restarted with another password ends runs and workers.
func TestRefusedLater(t *testing.T) {
	t.Parallel()
	s := startServer(t, withPassword("secret"))
	at := strings.Replace(s.url(), "//", "//qhsh:secret@", 1)
	r := startRun(t, connect(t, at, testTiming), ignore)
	w := startWorkerAt(t, at, 2, testTiming, slowly(time.Hour))
	answers := make(chan []string, 1)
	go func() { answers <- doAll(t, r, 1) }()
	await(t, func() bool { return len(r.Workers()) > 0 })
	s.stop()
	withPassword("another")(&s.options)
	s.start()
	want := strings.Replace(s.url(), "//", "//qhsh:xxxxx@", 1) + ": nats: Authorization Violation"
	if got := (<-answers)[0]; !strings.HasPrefix(got, want) {
		t.Errorf("the run ends with %s", got)
	}
	err := <-w.ended
	if w.ended <- nil; !errors.Is(err, nats.ErrAuthorization) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("the worker ends with %v", err)
	}
}

// An authority signs certificates, which are files NAME.pem and NAME.key in a folder.
type authority struct {
	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

func newAuthority(t *testing.T, dir, name string) *authority {
	t.Helper()
	a := &authority{dir: dir}
	a.cert, a.key = a.issue(t, name, &x509.Certificate{
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	})
	return a
}

// sign issues a certificate for this machine.
func (a *authority) sign(t *testing.T, name string) {
	t.Helper()
	a.issue(t, name, &x509.Certificate{
		KeyUsage: x509.KeyUsageDigitalSignature, IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth},
	})
}

func (a *authority) issue(t *testing.T, name string, c *x509.Certificate) (*x509.Certificate, *ecdsa.PrivateKey) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	c.SerialNumber, c.Subject = big.NewInt(time.Now().UnixNano()), pkix.Name{CommonName: name}
	c.NotBefore, c.NotAfter = time.Now().Add(-time.Hour), time.Now().Add(time.Hour)
	parent, parentKey := a.cert, a.key
	if parent == nil {
		parent, parentKey = c, key
	}
	der, err := x509.CreateCertificate(rand.Reader, c, parent, &key.PublicKey, parentKey)
	if err != nil {
		t.Fatal(err)
	}
	keyDER, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	writePEM(t, filepath.Join(a.dir, name+".pem"), "CERTIFICATE", der)
	writePEM(t, filepath.Join(a.dir, name+".key"), "PRIVATE KEY", keyDER)
	issued, err := x509.ParseCertificate(der)
	if err != nil {
		t.Fatal(err)
	}
	return issued, key
}

func writePEM(t *testing.T, path, kind string, der []byte) {
	t.Helper()
	if err := os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
}

// option makes a server use the certificate named server, and demand one of clients.
func (a *authority) option(t *testing.T, demand bool) func(*server.Options) {
	t.Helper()
	own, err := tls.LoadX509KeyPair(filepath.Join(a.dir, "server.pem"), filepath.Join(a.dir, "server.key"))
	if err != nil {
		t.Fatal(err)
	}
	config := &tls.Config{Certificates: []tls.Certificate{own}, MinVersion: tls.VersionTLS12}
	if demand {
		config.ClientAuth, config.ClientCAs = tls.RequireAndVerifyClientCert, x509.NewCertPool()
		config.ClientCAs.AddCert(a.cert)
	}
	return func(o *server.Options) {
		o.TLSConfig, o.TLSVerify, o.TLSTimeout = config, demand, time.Minute.Seconds()
	}
}

// accounts are an operator's accounts, as nsc makes them: one with JetStream, one without.
type accounts struct {
	operator nkeys.KeyPair
	system   string
	resolver *server.MemAccResolver
}

// newAccounts writes creds files of users: user, poor, which has no JetStream, and other, whose
// account the server does not know.
func newAccounts(t *testing.T, dir string) *accounts {
	t.Helper()
	a := &accounts{resolver: &server.MemAccResolver{}}
	a.operator, _ = newKey(t, nkeys.CreateOperator)
	a.system = a.add(t, "", nil, true)
	unlimited := &jwt.JetStreamLimits{MemoryStorage: jwt.NoLimit, DiskStorage: jwt.NoLimit, Streams: jwt.NoLimit, Consumer: jwt.NoLimit}
	a.add(t, filepath.Join(dir, "user.creds"), unlimited, true)
	a.add(t, filepath.Join(dir, "poor.creds"), nil, true)
	a.add(t, filepath.Join(dir, "other.creds"), unlimited, false)
	return a
}

// add adds an account and returns it. creds is the file of a user of it.
func (a *accounts) add(t *testing.T, creds string, limits *jwt.JetStreamLimits, known bool) string {
	t.Helper()
	account, id := newKey(t, nkeys.CreateAccount)
	claims := jwt.NewAccountClaims(id)
	if limits != nil {
		claims.Limits.JetStreamLimits = *limits
	}
	token, err := claims.Encode(a.operator)
	if err == nil && known {
		err = a.resolver.Store(id, token)
	}
	if err != nil {
		t.Fatal(err)
	}
	if creds != "" {
		writeCreds(t, creds, account)
	}
	return id
}

// writeCreds writes the creds file of a new user of an account.
func writeCreds(t *testing.T, path string, account nkeys.KeyPair) {
	t.Helper()
	user, id := newKey(t, nkeys.CreateUser)
	token, err := jwt.NewUserClaims(id).Encode(account)
	if err != nil {
		t.Fatal(err)
	}
	seed, err := user.Seed()
	if err != nil {
		t.Fatal(err)
	}
	text, err := jwt.FormatUserConfig(token, seed)
	if err == nil {
		err = os.WriteFile(path, text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

func newKey(t *testing.T, create func() (nkeys.KeyPair, error)) (key nkeys.KeyPair, public string) {
	t.Helper()
	key, err := create()
	if err == nil {
		public, err = key.PublicKey()
	}
	if err != nil {
		t.Fatal(err)
	}
	return key, public
}

// option makes a server use the accounts.
func (a *accounts) option(o *server.Options) {
	operator, err := a.operator.PublicKey()
	if err != nil {
		panic(err) // it was made with one
	}
	o.TrustedKeys, o.SystemAccount, o.AccountResolver = []string{operator}, a.system, a.resolver
}
