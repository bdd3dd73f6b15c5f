package serve

import (
	"crypto/subtle"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
)

// policy is the Content-Security-Policy of every answer.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// guard passes on requests that may be answered. Those with the token in their address get a cookie in place of
// it, whose name has the port, since browsers keep cookies for a host.
func (s *Server) guard(port string, next http.Handler) http.Handler {
	cookie := "qhsh-" + port
	isToken := func(text string) bool { return subtle.ConstantTimeCompare([]byte(text), []byte(s.Token)) == 1 }
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		h.Set("Content-Security-Policy", policy)
		h.Set("X-Content-Type-Options", "nosniff")
		h.Set("Referrer-Policy", "no-referrer")
		h.Set("Cache-Control", "no-store")
		h.Set("Cross-Origin-Resource-Policy", "same-origin")
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		origin := r.Header.Get("Origin")
		switch given := r.URL.Query().Get("token"); {
		case !isNumbered(r.Host):
			deny(w, "open the page by the address that qhsh serve has printed, which has numbers in place of a name")
		case origin != "" && origin != "http://"+r.Host:
			deny(w, "another page has asked")
		case r.Method == http.MethodGet && r.URL.Path == "/" && isToken(given):
			http.SetCookie(w, &http.Cookie{Name: cookie, Value: given, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode})
			// Not a redirection: a browser would send the cookie with none that another page has begun.
			h.Set("Content-Type", "text/html; charset=utf-8")
			h.Set("Refresh", "0; url=/")
			_, _ = io.WriteString(w, "<!DOCTYPE html><link rel=\"icon\" href=\"data:,\"><title>qhsh</title><a href=\"/\">qhsh</a>\n")
		case isToken(strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer ")) ||
			slices.ContainsFunc(r.CookiesNamed(cookie), func(c *http.Cookie) bool { return isToken(c.Value) }):
			next.ServeHTTP(w, r)
		default:
			deny(w, "open the page by the address that qhsh serve has printed: it ends in a token")
		}
	})
}

func deny(w http.ResponseWriter, why string) {
	http.Error(w, "qhsh serve: "+why, http.StatusForbidden)
}

// isNumbered reports whether a host is named by an address in numbers or as localhost: no other name can be made
// to lead here.
func isNumbered(host string) bool {
	name, _, err := net.SplitHostPort(host)
	if err != nil {
		name = host
	}
	return name == "localhost" || net.ParseIP(strings.Trim(name, "[]")) != nil
}
