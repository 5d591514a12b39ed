import CBORKit
import COSEKit
import CredentialTransport
import CryptoCore
import Foundation
import JOSEKit
import MdocKit
import StatusListKit
import Testing

/// The issuer of Utopia's status and identifier lists, and the chain of its document signer.
struct ListIssuer: Sendable {
    let utopia: Utopia
    let key: PrivateKey
    let certificate: Certificate
    /// The validated chain of the credentials' signer.
    let documentSigner: ValidatedCertificateChain

    static let uri = "https://utopia.example/lists/1"
    static let identifierURI = "https://utopia.example/identifiers/1"
    static let revokedIdentifier: [UInt8] = [1, 2, 3]

    /// A list of 16 entries of two bits: 0, 1, 2, 3, then valid ones.
    static let list = StatusList(bytes: [0b1110_0100, 0, 0, 0], bits: .two)

    init() async throws {
        utopia = try await Utopia()
        key = try PrivateKey.generate(.p256)
        certificate = try await Self.signerCertificate(for: key.publicKey, by: utopia.iaca)
        guard case .verified(let credential) = utopia.verifier().verifyForStorage(try await utopia.licence()).verdict
        else {
            throw MdocError(.invalidValue, "the licence does not verify")
        }
        documentSigner = credential.signer
    }

    /// A certificate for a signer of lists.
    static func signerCertificate(
        for key: PublicKey,
        by authority: CertificateAuthority
    ) async throws -> Certificate {
        try await authority.issueStatusListSigner(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia lists"),
            publicKey: key,
            validity: Utopia.now - Utopia.day...Utopia.now + 30 * Utopia.day
        )
    }

    /// A status list token.
    func statusToken(
        _ form: StatusListToken.Form = .cwt,
        uri: String = ListIssuer.uri,
        list: StatusList = ListIssuer.list,
        expirationTime: Date? = Utopia.now + Utopia.day,
        timeToLive: Int? = nil,
        x5chain: [Certificate]? = nil,
        isChainProtected: Bool = true
    ) async throws -> StatusListToken {
        let content = try StatusListContent(
            uri: uri,
            list: list,
            issuedAt: Utopia.now - 60,
            expirationTime: expirationTime,
            timeToLive: timeToLive
        )
        let chain = (x5chain ?? [certificate]).map(\.derBytes)
        switch form {
        case .jwt:
            var header = JOSEHeader()
            header.setCertificateChain(chain)
            return try await content.signedJWT(header: header, with: SoftwareSigner(key))
        case .cwt:
            let certificates: COSEHeaderMap = [.x5chain: COSEHeaderMap.certificates(chain)]
            let headers =
                isChainProtected
                ? COSEHeaders(protected: certificates) : COSEHeaders(unprotected: certificates)
            return try await content.signedCWT(headers: headers, with: SoftwareSigner(key))
        }
    }

    /// An identifier list token that revokes ``revokedIdentifier``.
    func identifierToken(timeToLive: Int? = nil, x5chain: [Certificate]? = nil) async throws -> IdentifierListToken {
        try await identifierContent(timeToLive: timeToLive)
            .signedCWT(x5chain: x5chain ?? [certificate], with: SoftwareSigner(key))
    }

    func identifierContent(timeToLive: Int? = nil) throws -> IdentifierListContent {
        try IdentifierListContent(
            uri: Self.identifierURI,
            identifiers: [Self.revokedIdentifier, [9], []],
            aggregationURI: "https://utopia.example/identifiers",
            issuedAt: Utopia.now - 60,
            expirationTime: Utopia.now + Utopia.day,
            timeToLive: timeToLive
        )
    }

    /// An identifier list token whose claims and type need not be in order.
    func identifierToken(
        type: CBOR? = .text(IdentifierListToken.mediaType),
        isChainProtected: Bool = true,
        changing change: (inout CWTClaims) -> Void
    ) async throws -> IdentifierListToken {
        var claims = try identifierContent().cwtClaims()
        change(&claims)
        let chain: COSEHeaderMap = [.x5chain: COSEHeaderMap.certificates([certificate.derBytes])]
        var protected: COSEHeaderMap = isChainProtected ? chain : [:]
        protected[.type] = type
        return IdentifierListToken(
            try await COSESign1.sign(
                claims.encoded(),
                headers: COSEHeaders(protected: protected, unprotected: isChainProtected ? [:] : chain),
                with: SoftwareSigner(key)
            )
        )
    }

    /// A reference to an entry of the status list.
    static func status(
        _ index: UInt64,
        certificate: Certificate? = nil
    ) -> MobileSecurityObject.Status {
        MobileSecurityObject.Status(
            statusList: MobileSecurityObject.Status.StatusList(
                index: index,
                uri: uri,
                certificate: certificate?.derBytes
            )
        )
    }

    /// A reference to the identifier list.
    static func status(
        _ identifier: [UInt8],
        certificate: Certificate? = nil
    ) -> MobileSecurityObject.Status {
        MobileSecurityObject.Status(
            identifierList: MobileSecurityObject.Status.IdentifierList(
                identifier: identifier,
                uri: identifierURI,
                certificate: certificate?.derBytes
            )
        )
    }

    /// A transport that answers with tokens.
    static func transport(
        _ statusToken: StatusListToken? = nil,
        _ identifierToken: IdentifierListToken? = nil
    ) -> InMemoryHTTPTransport {
        var answers: [String: InMemoryHTTPAnswer] = [:]
        if let statusToken {
            let type = statusToken.form == .jwt ? MediaType.statusListJWT : .statusListCWT
            answers[uri] = .ok(statusToken.encodedBytes, type: type)
        }
        if let identifierToken {
            answers[identifierURI] = .ok(identifierToken.encodedBytes, type: .identifierListCWT)
        }
        return InMemoryHTTPTransport(answers)
    }

    /// The status of a credential of Utopia's document signer by a checker.
    func status(
        _ checker: MdocStatusChecker,
        _ reference: MobileSecurityObject.Status,
        at time: Date = Utopia.now
    ) async -> CredentialStatus {
        await checker.status(named: reference, of: documentSigner, at: time).status
    }
}

/// A status without its time or text; one without a common meaning counts as unknown.
enum StatusKind: Hashable, Sendable {
    case valid
    case revoked
    case suspended
    case unknown
}

extension CredentialStatus {
    var kind: StatusKind {
        switch self {
        case .valid: .valid
        case .revoked: .revoked
        case .suspended: .suspended
        case .unknown, .application: .unknown
        }
    }
}
