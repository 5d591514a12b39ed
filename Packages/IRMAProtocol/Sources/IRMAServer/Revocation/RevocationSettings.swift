import CredentialTransport
import IRMAMessages

/// The settings of a credential type that can be revoked: `revocation_settings` of the reference's configuration.
public struct RevocationSettings: Hashable, Sendable {
    /// The server's own roles.
    public let role: RevocationRole
    /// The URL of the authority's server without `/revocation`, not ending in a slash; nil for those of the type's scheme.
    ///
    /// A server that issues credentials of the type and is not an authority needs it.
    public let serverURL: String?
    /// Twice the time in seconds after which the authority's server is asked again.
    public let tolerance: Int64
    /// Indicates that the authority's server is listened to: its event stream brings accumulators as soon as they are signed.
    public let listensToEvents: Bool

    /// The shortest tolerance in seconds.
    public static let minimumTolerance: Int64 = 30
    /// The tolerance in seconds where none is set.
    public static let defaultTolerance: Int64 = 600

    /// Sets the settings; omitted ones have their defaults.
    ///
    /// - Parameters:
    ///   - role: The server's own roles; an authority also tells others about accumulators and events.
    ///   - serverURL: The URL of the authority's server, without `/revocation`.
    ///   - tolerance: Twice the time in seconds after which the authority is asked again.
    ///   - listensToEvents: Indicates that the authority's event stream is listened to, which its server has to offer.
    /// - Throws: ``IRMAServerError/Code/invalidConfiguration``: an authority with a server's URL, the role of a server
    ///   without one, an invalid URL, a tolerance below ``minimumTolerance``.
    public init(
        role: RevocationRole = [],
        serverURL: String? = nil,
        tolerance: Int64 = Self.defaultTolerance,
        listensToEvents: Bool = false
    ) throws(IRMAServerError) {
        let isAuthority = role.contains(.authority)
        guard !isAuthority || serverURL == nil else {
            throw IRMAServerError(.invalidConfiguration, "an authority has no URL of another one's server")
        }
        guard isAuthority || !role.contains(.server) || serverURL != nil else {
            throw IRMAServerError(.invalidConfiguration, "a revocation server needs the URL of the authority's server")
        }
        guard tolerance >= Self.minimumTolerance else {
            throw IRMAServerError(.invalidConfiguration, "a tolerance below \(Self.minimumTolerance) seconds")
        }
        if let serverURL {
            do throws(TransportError) {
                guard try HTTPURL(serverURL).query == nil else {
                    throw TransportError(.invalidURL, "a query where a path is appended")
                }
            } catch {
                throw IRMAServerError(.invalidConfiguration, "the URL of a revocation server is invalid", cause: error)
            }
        }
        self.serverURL = serverURL.map { url in String(url.reversed().drop { $0 == "/" }.reversed()) }
        self.role = isAuthority ? [role, .server] : role
        self.tolerance = tolerance
        self.listensToEvents = listensToEvents && !isAuthority
    }

    /// Settings of records that another process keeps up to date.
    init(unchecked role: RevocationRole) {
        self.role = role
        serverURL = nil
        tolerance = Self.defaultTolerance
        listensToEvents = false
    }
}
