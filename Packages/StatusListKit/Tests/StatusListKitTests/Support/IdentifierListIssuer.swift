import CBORKit
import COSEKit
import CredentialTransport
import CryptoCore
import Foundation
import StatusListKit

/// The issuer of identifier lists that revoke the identifiers 01 02 03, 09 and the empty one.
struct IdentifierListIssuer: Sendable {
    let pki: SignerPKI

    static let uri = "https://issuer.example/identifiers/1"
    static let now = TokenMaker.now
    static let day = SignerPKI.day

    init() async throws {
        pki = try await SignerPKI.make()
    }

    var key: PrivateKey { pki.key }
    var certificate: Certificate { pki.certificate }
    var anchors: [Certificate] { [pki.authority.certificate] }

    /// A token whose times are seconds from ``now``.
    func token(
        identifiers: Set<[UInt8]> = [[1, 2, 3], [9], []],
        issuedAt: TimeInterval = -60,
        expirationTime: TimeInterval = day,
        timeToLive: Int? = nil,
        x5chain: [Certificate]? = nil
    ) async throws -> IdentifierListToken {
        try await content(
            identifiers: identifiers,
            issuedAt: issuedAt,
            expirationTime: expirationTime,
            timeToLive: timeToLive
        )
        .signedCWT(x5chain: x5chain ?? [certificate], with: SoftwareSigner(key))
    }

    func content(
        identifiers: Set<[UInt8]> = [[1, 2, 3], [9], []],
        issuedAt: TimeInterval = -60,
        expirationTime: TimeInterval = day,
        timeToLive: Int? = nil
    ) throws -> IdentifierListContent {
        try IdentifierListContent(
            uri: Self.uri,
            identifiers: identifiers,
            aggregationURI: "https://issuer.example/identifiers",
            issuedAt: Self.now + issuedAt,
            expirationTime: Self.now + expirationTime,
            timeToLive: timeToLive
        )
    }

    /// A token whose claims and headers need not be in order.
    func token(
        type: CBOR? = .text(IdentifierListToken.mediaType),
        x5t: CBOR? = nil,
        changing change: (inout CWTClaims) -> Void
    ) async throws -> IdentifierListToken {
        var claims = try content().cwtClaims()
        change(&claims)
        var protected: COSEHeaderMap = [.x5chain: COSEHeaderMap.certificates([certificate.derBytes])]
        protected[.x5t] = x5t
        protected[.type] = type
        return IdentifierListToken(
            try await COSESign1.sign(
                claims.encoded(),
                headers: COSEHeaders(protected: protected),
                with: SoftwareSigner(key)
            )
        )
    }

    /// The answer with a token.
    static func answer(_ token: IdentifierListToken) -> InMemoryHTTPAnswer {
        .ok(token.encodedBytes, type: .identifierListCWT)
    }

    /// A server with a token.
    static func server(_ token: IdentifierListToken) -> TokenServer {
        TokenServer([uri: answer(token)])
    }
}
