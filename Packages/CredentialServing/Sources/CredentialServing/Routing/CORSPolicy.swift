public import HTTPTypes

/// The rule by which browsers let scripts of other origins read responses (WHATWG Fetch, section 3.2).
public struct CORSPolicy: Sendable {
    /// The origins whose scripts are let in.
    public enum Origins: Hashable, Sendable {
        /// Every origin; never with credentials.
        case any
        /// The origins of a list, each compared exactly, such as `https://shop.example`.
        case exactly(Set<String>)
        /// The origins of a list, in which one star may stand for a subdomain of any depth, such as `https://*.shop.example`, or
        /// for a port, such as `http://localhost:*`.
        ///
        /// With credentials, every page under a subdomain can act for your users.
        case matching(Set<String>)
    }

    /// The origins whose scripts are let in.
    public let origins: Origins
    /// The header fields that a script may set.
    public let allowedHeaders: [HTTPField.Name]
    /// The header fields of responses that a script may read.
    public let exposedHeaders: [HTTPField.Name]
    /// The time in seconds for which a browser may keep the answer to a preflight request.
    public let maximumAge: Int
    /// Indicates that browsers may send cookies and certificates.
    public let allowsCredentials: Bool
    /// The status of the answer to a preflight request.
    public let preflightStatus: HTTPResponse.Status
    /// The entries of the list; none where every origin is let in.
    private let patterns: [OriginPattern]

    /// A policy.
    ///
    /// The methods are those that the routes of a path have.
    ///
    /// - Parameters:
    ///   - origins: The origins whose scripts are let in.
    ///   - allowedHeaders: The header fields that a script may set.
    ///   - exposedHeaders: The header fields of responses that a script may read.
    ///   - maximumAge: The time in seconds for which a browser may keep the answer to a preflight request.
    ///   - allowsCredentials: Indicates that browsers may send cookies and certificates.
    ///   - preflightStatus: The status of the answer to a preflight request, from 200 to 299.
    /// - Throws: ``ServingError/Code/invalidPolicy`` for credentials with any origin, a negative age, a status that browsers
    ///   refuse, and for an origin that is not a scheme, a host and at most a port, or has a star in another place.
    public init(
        origins: Origins,
        allowedHeaders: [HTTPField.Name] = [.accept, .contentType],
        exposedHeaders: [HTTPField.Name] = [],
        maximumAge: Int = 600,
        allowsCredentials: Bool = false,
        preflightStatus: HTTPResponse.Status = .noContent
    ) throws(ServingError) {
        self.origins = origins
        self.allowedHeaders = allowedHeaders
        self.exposedHeaders = exposedHeaders
        self.maximumAge = maximumAge
        self.allowsCredentials = allowsCredentials
        self.preflightStatus = preflightStatus
        patterns = try Self.patterns(of: origins)
        guard preflightStatus.kind == .successful else {
            throw ServingError(.invalidPolicy, "a status that browsers refuse", path: ["cors"])
        }
        guard maximumAge >= 0 else { throw ServingError(.invalidPolicy, "negative age", path: ["cors"]) }
        guard origins != .any || !allowsCredentials else {
            throw ServingError(.invalidPolicy, "credentials need a list of origins", path: ["cors"])
        }
    }

    private static func patterns(of origins: Origins) throws(ServingError) -> [OriginPattern] {
        let (list, hasStars) =
            switch origins {
            case .any: (Set<String>(), false)
            case .exactly(let list): (list, false)
            case .matching(let list): (list, true)
            }
        var patterns: [OriginPattern] = []
        for origin in list.sorted() {
            guard hasStars || !origin.contains("*"), let pattern = OriginPattern(origin) else {
                throw ServingError(.invalidPolicy, "no origin", path: ["cors", origin])
            }
            patterns.append(pattern)
        }
        return patterns
    }

    /// The value of `Access-Control-Allow-Origin` for a request; nil if its origin is not let in.
    func allowedOrigin(for request: ServerRequest) -> String? {
        guard let origin = request.headerFields[.origin] else { return nil }
        if origins == .any { return "*" }
        return patterns.contains { $0.matches(origin) } ? origin : nil
    }

    /// Adds the fields that let a script read a response.
    func apply(to response: inout ServerResponse, for request: ServerRequest) {
        if origins != .any { response.addVary(.origin) }
        guard let origin = allowedOrigin(for: request) else { return }
        response.headerFields[.accessControlAllowOrigin] = origin
        if allowsCredentials { response.headerFields[.accessControlAllowCredentials] = "true" }
        if !exposedHeaders.isEmpty {
            response.headerFields[.accessControlExposeHeaders] = Self.list(exposedHeaders)
        }
    }

    /// Answers a preflight request for a path with methods.
    func preflight(_ request: ServerRequest, methods: [HTTPRequest.Method]) -> ServerResponse {
        var response = ServerResponse(preflightStatus)
        apply(to: &response, for: request)
        response.headerFields[.accessControlExposeHeaders] = nil
        response.addVary(.accessControlRequestMethod)
        response.addVary(.accessControlRequestHeaders)
        guard response.headerFields[.accessControlAllowOrigin] != nil else { return response }
        response.headerFields[.accessControlAllowMethods] = methods.map(\.rawValue).joined(separator: ", ")
        if !allowedHeaders.isEmpty { response.headerFields[.accessControlAllowHeaders] = Self.list(allowedHeaders) }
        response.headerFields[.accessControlMaxAge] = String(maximumAge)
        return response
    }

    private static func list(_ names: [HTTPField.Name]) -> String {
        names.map(\.rawName).joined(separator: ", ")
    }
}

extension ServerRequest {
    /// Indicates the request by which a browser asks for leave to send another (WHATWG Fetch, section 3.2.2).
    var isPreflight: Bool {
        method == .options && headerFields[.origin] != nil && headerFields[.accessControlRequestMethod] != nil
    }
}

extension ServerResponse {
    /// Adds a name to `Vary`.
    mutating func addVary(_ name: HTTPField.Name) {
        let value = headerFields[.vary]
        headerFields[.vary] = value.map { $0 + ", " + name.rawName } ?? name.rawName
    }
}
