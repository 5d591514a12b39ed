import CredentialTesting
import CryptoCore
import Foundation
import TestSupport
import Testing

/// Purpose by kind of certificate: a chain to a trust anchor entitles a key to nothing by itself.
@Suite
struct CertificateEntitlementTests {
    /// A number that issuers and verifiers could have agreed upon for id-kp-oauthStatusSigning.
    private static let statusSigning = OID("1.3.6.1.4.1.55555.1")

    /// The purposes of signatures, each with its policy; revocation lists have their own rules.
    enum Purpose: String, CaseIterable, Sendable {
        case documents, readerAuthentication, vical, rical, statusLists, statusListsByNumber, statusListTokens
        case statusListTokensWithoutPurpose, sdJWTs, requests, revocationLists
    }

    /// Certificates below one root that differ only in their purposes, except for the last two.
    enum Kind: String, CaseIterable, Sendable {
        case withoutPurpose, documentSigner, mdocDocumentSigner, reader, mdocReader, vicalSigner, mdocVICALSigner
        case statusSigner, webServer, webClient, anyPurpose, signerAndServer
        /// Neither keyUsage nor extKeyUsage.
        case bare
        case authority
    }

    /// Every entitled cell; all others are refused.
    private static let entitled: [Purpose: Set<Kind>] = [
        .documents: [.documentSigner, .mdocDocumentSigner, .signerAndServer],
        .readerAuthentication: [.reader, .mdocReader],
        .vical: [.vicalSigner, .mdocVICALSigner],
        // Tables F.1 and B.9 define no purpose for these signers; the profile decides about certificates without a
        // purpose.
        .rical: [.withoutPurpose, .vicalSigner, .mdocVICALSigner],
        .statusLists: [.withoutPurpose],
        .statusListsByNumber: [.withoutPurpose, .statusSigner],
        .statusListTokens: [.statusSigner],
        .statusListTokensWithoutPurpose: [.withoutPurpose, .bare],
        .sdJWTs: [.withoutPurpose, .bare, .documentSigner, .mdocDocumentSigner, .signerAndServer],
        .requests: [.withoutPurpose, .bare, .reader, .mdocReader, .webServer, .webClient, .signerAndServer],
        .revocationLists: [.authority],
    ]

    private static func policy(_ purpose: Purpose) throws -> CertificatePathPolicy? {
        let number = try #require(statusSigning)
        return switch purpose {
        case .documents: .mdocDocumentSigner
        case .readerAuthentication: .mdocReader
        case .vical: .vicalSigner
        case .rical: .ricalSigner
        case .statusLists: .statusListSigner
        case .statusListsByNumber: .statusListSigner(purposes: [number])
        case .statusListTokens: .statusListTokenSigner(purposes: [number])
        case .statusListTokensWithoutPurpose: .statusListTokenSignerWithoutPurpose
        case .sdJWTs: .credentialIssuer
        case .requests: .requestSigner
        case .revocationLists: nil
        }
    }

    private static func purposes(_ kind: Kind) throws -> [OID] {
        switch kind {
        case .withoutPurpose, .bare, .authority: []
        case .documentSigner: [.mdlDocumentSigner]
        case .mdocDocumentSigner: [.mdocDocumentSigner]
        case .reader: [.mdlReaderAuthentication]
        case .mdocReader: [.mdocReaderAuthentication]
        case .vicalSigner: [.mdlVICALSigner]
        case .mdocVICALSigner: [.mdocVICALSigner]
        case .statusSigner: [try #require(statusSigning)]
        case .webServer: [.serverAuthentication]
        case .webClient: [.clientAuthentication]
        case .anyPurpose: [.anyExtendedKeyUsage]
        case .signerAndServer: [.mdlDocumentSigner, .serverAuthentication]
        }
    }

    /// A certificate that keeps every profile as far as its purposes allow.
    private static func certificate(
        _ kind: Kind,
        for key: PublicKey,
        by iaca: CertificateAuthority,
        at start: Date
    ) async throws -> Certificate {
        let purposes = try purposes(kind)
        var extensions: [CertificateExtension] = [
            .issuerAlternativeName([.uri("https://utopia.example")]),
            .crlDistributionPoints(["https://utopia.example/crl"]),
        ]
        switch kind {
        case .bare: break
        case .authority:
            extensions += [.certificateAuthority(pathLength: nil), .keyUsage([.keyCertSign, .crlSign])]
        default: extensions.append(.keyUsage(.digitalSignature))
        }
        if !purposes.isEmpty { extensions.append(.extendedKeyUsage(purposes, isCritical: true)) }
        return try await CertificateBuilder(
            subject: DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "signer"),
            publicKey: key,
            validity: start...start.addingTimeInterval(86_400),
            extensions: extensions
        ).issued(by: iaca)
    }

    @Test(arguments: Purpose.allCases, Kind.allCases)
    func entitlement(to purpose: Purpose, of kind: Kind) async throws {
        let start = try Date(iso8601: "2026-01-15T00:00:00Z")
        let pki = try await MdocTestPKI.make(at: start)
        let key = try PrivateKey.generate(.p256)
        let certificate = try await Self.certificate(kind, for: key.publicKey, by: pki.iaca, at: start)
        let isEntitled = Self.entitled[purpose]?.contains(kind) == true
        guard let policy = try Self.policy(purpose) else {
            let authority = try CertificateAuthority(certificate: certificate, signer: SoftwareSigner(key))
            let list = try await RevocationListBuilder(
                thisUpdate: start,
                nextUpdate: start.addingTimeInterval(60),
                number: 1
            ).issued(by: authority)
            let reason = list.verify(issuer: certificate, at: start).refusal?.reason
            #expect(reason == (isEntitled ? nil : .listSigningNotAllowed))
            return
        }
        let result = CertificatePathValidator(anchors: [pki.iaca.certificate], policy: policy)
            .validate([certificate], at: start)
        #expect((result.refusal == nil) == isEntitled, "\(String(describing: result.refusal))")
    }

    /// The number of id-kp-oauthStatusSigning is not assigned: without an agreed number, a token signer cannot be
    /// recognized.
    @Test func tokenSignersWithoutANumber() async throws {
        let start = try Date(iso8601: "2026-01-15T00:00:00Z")
        let pki = try await MdocTestPKI.make(at: start)
        let validator = CertificatePathValidator(
            anchors: [pki.iaca.certificate],
            policy: .statusListTokenSigner(purposes: [])
        )
        for kind in Kind.allCases {
            let certificate = try await Self.certificate(
                kind,
                for: pki.documentSignerKey.publicKey,
                by: pki.iaca,
                at: start
            )
            #expect(validator.validate([certificate], at: start).refusal != nil, "\(kind)")
        }
    }
}
