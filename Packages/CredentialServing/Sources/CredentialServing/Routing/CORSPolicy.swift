public import HTTPTypes

/// The rule by which browsers let scripts of other origins read responses (WHATWG Fetch, section 3.2).
public struct CORSPolicy: Sendable {
    /// The origins whose scripts are let in.
    public enum Origins: Hashable, Sendable {
        /// Every origin; never with credentials.
        case any
        /// The origins of a list, each compared exactly, such as `https://shop.example`.
        case exactly(Set<String>)
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
    ///   refuse, and for an origin that is not a scheme, a host and at most a port.
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
        guard preflightStatus.kind == .successful else {
            throw ServingError(.invalidPolicy, "a status that browsers refuse", path: ["cors"])
        }
        guard maximumAge >= 0 else { throw ServingError(.invalidPolicy, "negative age", path: ["cors"]) }
        switch origins {
        case .any:
            guard !allowsCredentials else {
                throw ServingError(.invalidPolicy, "credentials need a list of origins", path: ["cors"])
            }
        case .exactly(let list):
            for origin in list where !Self.isOrigin(origin) {
                throw ServingError(.invalidPolicy, "no origin", path: ["cors", origin])
            }
        }
    }

    /// The value of `Access-Control-Allow-Origin` for a request; nil if its origin is not let in.
    func allowedOrigin(for request: ServerRequest) -> String? {
        guard let origin = request.headerFields[.origin] else { return nil }
        switch origins {
        case .any: return "*"
        case .exactly(let list): return list.first { $0.utf8.elementsEqual(origin.utf8) }
        }
    }

    /// Adds the fields that let a script read a response.
    func apply(to response: inout ServerResponse, for request: ServerRequest) {
        if case .exactly = origins { response.addVary(.origin) }
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

    /// A scheme, a host and at most a port, in lower case as browsers write them (RFC 6454 section 6.2).
    private static func isOrigin(_ text: String) -> Bool {
        guard let separator = text.firstRange(of: "://") else { return false }
        let scheme = text[..<separator.lowerBound]
        let host = text[separator.upperBound...]
        let isPlain = { (byte: UInt8) in
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
        }
        return !scheme.isEmpty && scheme.utf8.allSatisfy { isPlain($0) || "+-.".utf8.contains($0) }
            && !host.isEmpty && host.utf8.allSatisfy { isPlain($0) || "-._:[]".utf8.contains($0) }
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
