import CBORKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// The claims of RFC 8392 section 3.1 and of RFC 8747.
extension CWTClaims {
    /// Sets the registered claims; those not given are left out.
    public init(
        issuer: String? = nil,
        subject: String? = nil,
        audience: [String] = [],
        expirationTime: Date? = nil,
        notBefore: Date? = nil,
        issuedAt: Date? = nil,
        id: [UInt8]? = nil
    ) {
        self.init()
        self[.claimIssuer] = issuer.map { .text($0) }
        self[.claimSubject] = subject.map { .text($0) }
        if let only = audience.first {
            self[.claimAudience] = audience.count == 1 ? .text(only) : .array(audience.map { .text($0) })
        }
        self[.claimExpirationTime] = expirationTime.map(Self.numericDate)
        self[.claimNotBefore] = notBefore.map(Self.numericDate)
        self[.claimIssuedAt] = issuedAt.map(Self.numericDate)
        self[.claimID] = id.map { .bytes($0) }
    }

    /// The issuer of the token (`iss`), or nil.
    public func issuer() throws(COSEError) -> String? {
        try claim(.claimIssuer, "iss") { view throws(CBORError) in try view.text() }
    }

    /// The subject of the token (`sub`), or nil.
    public func subject() throws(COSEError) -> String? {
        try claim(.claimSubject, "sub") { view throws(CBORError) in try view.text() }
    }

    /// The audience of the token (`aud`): one text, or an array of texts; nil for an absent claim.
    public func audience() throws(COSEError) -> [String]? {
        try claim(.claimAudience, "aud") { view throws(CBORError) in
            guard view.kind == .array else { return [try view.text()] }
            var audience: [String] = []
            for element in try view.array() { audience.append(try element.text()) }
            return audience
        }
    }

    /// When the token expires (`exp`), or nil.
    public func expirationTime() throws(COSEError) -> Date? {
        try date(.claimExpirationTime, "exp")
    }

    /// When the token starts to be valid (`nbf`), or nil.
    public func notBefore() throws(COSEError) -> Date? {
        try date(.claimNotBefore, "nbf")
    }

    /// When the token was issued (`iat`), or nil.
    public func issuedAt() throws(COSEError) -> Date? {
        try date(.claimIssuedAt, "iat")
    }

    /// The identifier of the token (`cti`), or nil.
    public func id() throws(COSEError) -> [UInt8]? {
        try claim(.claimID, "cti") { view throws(CBORError) in [UInt8](try view.bytes()) }
    }

    /// The key whose possession the presenter proves (`cnf`, RFC 8747), or nil.
    public func confirmation() throws(COSEError) -> CWTConfirmation? {
        guard let view = try view(.claimConfirmation) else { return nil }
        return try within("cnf") { () throws(COSEError) in try CWTConfirmation(cbor: view) }
    }

    private func claim<Value>(
        _ label: COSELabel,
        _ name: String,
        _ read: (CBORView) throws(CBORError) -> Value
    ) throws(COSEError) -> Value? {
        guard let view = try view(label) else { return nil }
        do {
            return try read(view)
        } catch {
            throw COSEError(.invalidClaim, error.message, path: [name], cause: error)
        }
    }

    /// A NumericDate: a number of seconds, without the tag 1 that it has elsewhere (RFC 8392 section 2).
    private func date(_ label: COSELabel, _ name: String) throws(COSEError) -> Date? {
        let seconds = try claim(label, name) { view throws(CBORError) in
            view.kind == .float ? try view.double() : Double(try view.integer(as: Int64.self))
        }
        guard let seconds else { return nil }
        guard seconds.isFinite else {
            throw COSEError(.invalidClaim, "\(seconds) is no time", path: [name])
        }
        return Date(timeIntervalSince1970: seconds)
    }

    private static func numericDate(_ date: Date) -> CBOR {
        let seconds = date.timeIntervalSince1970
        return Int64(exactly: seconds).map { .integer($0) } ?? .double(seconds)
    }
}

/// The labels of the registry "CBOR Web Token (CWT) Claims" that this library reads or writes.
///
/// They are members of ``COSELabel`` with the prefix `claim`, since header parameters use the same numbers.
extension COSELabel {
    /// The issuer of the token (`iss`, RFC 8392 section 3.1.1).
    public static let claimIssuer: COSELabel = 1
    /// The subject of the token (`sub`, RFC 8392 section 3.1.2).
    public static let claimSubject: COSELabel = 2
    /// The audience of the token (`aud`, RFC 8392 section 3.1.3).
    public static let claimAudience: COSELabel = 3
    /// When the token expires (`exp`, RFC 8392 section 3.1.4).
    public static let claimExpirationTime: COSELabel = 4
    /// When the token starts to be valid (`nbf`, RFC 8392 section 3.1.5).
    public static let claimNotBefore: COSELabel = 5
    /// When the token was issued (`iat`, RFC 8392 section 3.1.6).
    public static let claimIssuedAt: COSELabel = 6
    /// The identifier of the token (`cti`, RFC 8392 section 3.1.7).
    public static let claimID: COSELabel = 7
    /// The key whose possession the presenter proves (`cnf`, RFC 8747 section 3.1).
    public static let claimConfirmation: COSELabel = 8
}
