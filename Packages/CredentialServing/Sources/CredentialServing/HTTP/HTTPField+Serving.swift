import HTTPTypes

extension HTTPField.Name {
    /// The last event that a client of an event stream received (WHATWG HTML, section 9.2.4).
    static let lastEventID = known("Last-Event-ID")
    /// Asks nginx, and proxies that follow it, to pass a stream on as it comes.
    static let accelBuffering = known("X-Accel-Buffering")
    /// The addresses that a request came through, as most proxies write them.
    static let xForwardedFor = known("X-Forwarded-For")
    /// The addresses that a request came through (RFC 7239).
    static let forwarded = known("Forwarded")

    /// A name that is written in the source; each of them is a token, so that the other name is never used.
    private static func known(_ name: String) -> HTTPField.Name { HTTPField.Name(name) ?? .via }
}
