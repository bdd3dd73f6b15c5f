package cluster

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/nats-io/nats.go"
)

// ErrURL is wrapped by the error of an invalid URL, or one without the credentials that it needs.
var ErrURL = errors.New("URL of a cluster")

func parseURL(address string) (at *url.URL, options []nats.Option, err error) {
	at, err = url.Parse(address)
	switch {
	case err != nil: // its text would show the password
		return nil, nil, fmt.Errorf("%w: cannot be parsed: want nats://USER:PASSWORD@HOST:PORT", ErrURL)
	case address == "":
		return nil, nil, fmt.Errorf("%w: it is empty: want nats://HOST:PORT or tls://HOST:PORT", ErrURL)
	case at.Host == "": // without a scheme; what it begins with may be a password
		return nil, nil, fmt.Errorf("%w: want nats://HOST:PORT or tls://HOST:PORT", ErrURL)
	case at.Scheme != "nats" && at.Scheme != "tls" && at.Scheme != "ws" && at.Scheme != "wss":
		return nil, nil, fmt.Errorf("%w: %s: want nats://HOST:PORT or tls://HOST:PORT", ErrURL, shown(at))
	case strings.Trim(at.Path, "/") != "", at.Fragment != "": // it may be a password with a / or #
		return nil, nil, fmt.Errorf("%w: something follows the host: write / # ? @ and : in a password as %%2F %%23 %%3F %%40 and %%3A", ErrURL)
	}
	query := at.Query()
	for key := range query {
		if !slices.Contains([]string{"creds", "ca", "cert", "key"}, key) {
			return nil, nil, fmt.Errorf("%w: unknown option %q: use creds, ca, cert and key", ErrURL, key)
		}
	}
	if creds := query.Get("creds"); creds != "" {
		options = append(options, nats.UserCredentials(creds))
	}
	if ca := query.Get("ca"); ca != "" {
		options = append(options, nats.RootCAs(ca))
	}
	cert, key := query.Get("cert"), query.Get("key")
	if (cert == "") != (key == "") {
		return nil, nil, fmt.Errorf("%w: cert and key belong together", ErrURL)
	}
	if cert != "" {
		options = append(options, nats.ClientCert(cert, key))
	}
	password, hasPassword := at.User.Password()
	hasUser := at.User.Username() != "" && (password != "" || !hasPassword) // or a token
	ip := net.ParseIP(at.Hostname())
	isLocal := at.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	if !hasUser && query.Get("creds") == "" && cert == "" && !isLocal {
		return nil, nil, fmt.Errorf("%w: %s is another machine: credentials are required, as in nats://USER:PASSWORD@%s or ?creds=FILE", ErrURL, at.Host, at.Host)
	}
	at.RawQuery, at.Path = "", ""
	return at, append(options, func(o *nats.Options) error {
		o.Servers = []string{at.String()} // Connect would divide it at commas
		return nil
	}), nil
}

// shown returns the server of a URL and its user, without a password or token.
func shown(at *url.URL) string {
	hidden := url.URL{Scheme: at.Scheme, User: at.User, Host: at.Host}
	if password, _ := at.User.Password(); at.User != nil && password == "" { // it is a token
		hidden.User = url.User("xxxxx") // as Redacted shows a password
	}
	return hidden.Redacted()
}

// explain says which server an error is about, and what to do.
func explain(at *url.URL, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w%s", shown(at), err, remedy(err))
}

// remedy says what to do about an error of a connection, as a part of a sentence.
func remedy(err error) string {
	var certificate *tls.CertificateVerificationError
	switch {
	case errors.Is(err, nats.ErrAuthorization), errors.Is(err, nats.ErrAuthExpired), errors.Is(err, nats.ErrAuthRevoked), errors.Is(err, nats.ErrAccountAuthExpired):
		return ": the server refuses the credentials: use others, as in nats://USER:PASSWORD@HOST or ?creds=FILE"
	case errors.As(err, &certificate):
		return ": name the server as its certificate does, and the authority that signed it with ?ca=FILE"
	case strings.Contains(err.Error(), "tls: certificate required"), // without a type of their own
		strings.Contains(err.Error(), "closed by remote after TLS handshake"):
		return ": the server wants a certificate that its authority has signed: use ?cert=FILE&key=FILE"
	case errors.Is(err, nats.ErrSecureConnWanted):
		return ": the server has no TLS: use nats:// without ca, cert and key"
	}
	return ""
}
