public import CredentialTransport
public import MdocKit

/// Fetches trust lists over HTTP (ISO/IEC 18013-5, C.1.7.3 and F.3.2.1).
///
/// ```swift
/// let client = TrustListClient(transport: transport)
/// let list = try await client.vical(at: "https://lists.example/vical")
/// let verification = list.verify(anchors: [providersRoot], at: Date(), lastIssueID: stored)
/// ```
/// A fetched list is read and not verified: only its signature shows its provider.
public struct TrustListClient: Sendable {
    /// Tolerances and limits for reading a list.
    public var options: TrustListReadingOptions
    /// The time for everything, from the resolution of the name to the last byte: 10 seconds by default.
    public var timeout: Duration = .seconds(10)
    /// The largest number of redirects: 5 by default.
    ///
    /// The rules for the first URL hold for every target too.
    public var redirects = 5

    private let transport: any HTTPTransport

    /// Makes a client.
    ///
    /// - Parameters:
    ///   - transport: Fetches documents, and decides about the permitted targets.
    ///   - options: The tolerances and limits for a list; a longer answer is not read to its end.
    public init(transport: any HTTPTransport, options: TrustListReadingOptions = .strict) {
        self.transport = transport
        self.options = options
    }

    /// The VICAL at a URL.
    ///
    /// - Throws: `MdocError` with code `notFetched` if no answer comes that may be a list, else as
    ///   ``VICAL/init(decoding:options:)`` does.
    public func vical(at url: String) async throws(MdocError) -> VICAL {
        try VICAL(decoding: try await body(at: url), options: options)
    }

    /// The RICAL at a URL.
    ///
    /// - Throws: `MdocError` with code `notFetched` if no answer comes that may be a list, else as
    ///   ``RICAL/init(decoding:options:)`` does.
    public func rical(at url: String) async throws(MdocError) -> RICAL {
        try RICAL(decoding: try await body(at: url), options: options)
    }

    private func body(at url: String) async throws(MdocError) -> [UInt8] {
        do throws(TransportError) {
            return try await transport.body(
                at: url,
                accepting: Self.accepted,
                limits: HTTPLimits(maximumBodySize: options.limits.size, timeout: timeout),
                redirects: redirects
            )
        } catch {
            throw MdocError(.notFetched, "no trust list came from \(url)", cause: error)
        }
    }

    /// The types that the standard has for the two lists, and those of servers of plain files.
    private static let accepted = AcceptedContent(
        ["application/cwt", "application/cbor", "application/cose", "application/octet-stream"]
            .compactMap { try? MediaType($0) }
    )
}
