import CBORKit
import COSEKit
import CryptoCore
import Foundation
import JOSEKit
import JSONKit
import StatusListKit

/// Makes tokens of either form, correct or not.
struct TokenMaker: Sendable {
    static let uri = "https://issuer.example/lists/1"
    static let now = Date(timeIntervalSince1970: 1_800_000_000)
    static let policy = StatusListPolicy(jwtAlgorithms: [.es256], cwtAlgorithms: [.es256])

    let form: StatusListToken.Form
    let signer: SoftwareSigner
    var type: String?
    var subject: String? = uri
    var audience: String?
    /// Seconds from ``now``, as all times.
    var issuedAt: Double? = -100
    var notBefore: Double?
    var expirationTime: Double? = 3600
    var timeToLive: Int?
    var list: StatusList
    /// The content of `status_list` in place of the list.
    var jsonList: JSONValue?
    var cborList: CBOR?
    var hasList = true
    var moreJWTClaims: [String: JSONValue] = [:]
    var moreCWTClaims: [COSELabel: CBOR] = [:]
    var moreHeaders: [String: JSONValue] = [:]
    var keyID: String?
    var certificates: [[UInt8]] = []

    /// A token with the statuses 0, 1, 2, 3, 0, … in two bits.
    init(_ form: StatusListToken.Form, key: PrivateKey? = nil) throws {
        self.form = form
        signer = try SoftwareSigner(key ?? PrivateKey.generate(.p256))
        type = form == .jwt ? "statuslist+jwt" : form.rawValue
        list = StatusList(bytes: [0b1110_0100, 0], bits: .two)
    }

    var key: StatusListKey { .publicKey(signer.publicKey) }

    func token() async throws -> StatusListToken {
        switch form {
        case .jwt: try await jwt()
        case .cwt: StatusListToken(try await COSESign1.sign(cwtPayload(), headers: coseHeaders(), with: signer))
        }
    }

    func bytes() async throws -> [UInt8] {
        try await token().encodedBytes
    }

    private func jwt() async throws -> StatusListToken {
        var header = JOSEHeader()
        header["typ"] = type.map { .string($0) }
        header["kid"] = keyID.map { .string($0) }
        for (name, value) in moreHeaders { header[name] = value }
        if !certificates.isEmpty { header.setCertificateChain(certificates) }
        return try StatusListToken(await JWT.sign(jwtClaims(), header: header, with: signer))
    }

    func jwtClaims() throws -> JWTClaims {
        var claims = JWTClaims()
        claims["sub"] = subject.map { .string($0) }
        claims["aud"] = audience.map { .string($0) }
        claims["iat"] = issuedAt.map { .integer(Self.second($0)) }
        claims["nbf"] = notBefore.map { .integer(Self.second($0)) }
        claims["exp"] = expirationTime.map { .integer(Self.second($0)) }
        claims["ttl"] = timeToLive.map { .integer($0) }
        if hasList { claims["status_list"] = try jsonList ?? StatusListClaim(list).json() }
        for (name, value) in moreJWTClaims { claims[name] = value }
        return claims
    }

    func cwtPayload() throws -> [UInt8] {
        var claims = CWTClaims()
        claims[.claimSubject] = subject.map { .text($0) }
        claims[.claimAudience] = audience.map { .text($0) }
        claims[.claimIssuedAt] = issuedAt.map { .integer(Self.second($0)) }
        claims[.claimNotBefore] = notBefore.map { .integer(Self.second($0)) }
        claims[.claimExpirationTime] = expirationTime.map { .integer(Self.second($0)) }
        claims[.claimTimeToLive] = timeToLive.map { .integer($0) }
        if hasList { claims[.claimStatusList] = try cborList ?? StatusListClaim(list).cbor() }
        for (label, value) in moreCWTClaims { claims[label] = value }
        return claims.encoded()
    }

    func coseHeaders() -> COSEHeaders {
        var protected: COSEHeaderMap = [:]
        protected[.type] = type.map { .text($0) }
        protected[.kid] = keyID.map { .bytes(Array($0.utf8)) }
        if !certificates.isEmpty { protected[.x5chain] = COSEHeaderMap.certificates(certificates) }
        return COSEHeaders(protected: protected)
    }

    private static func second(_ offset: Double) -> Int {
        Int(now.timeIntervalSince1970 + offset)
    }
}
