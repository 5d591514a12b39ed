import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import StatusListKit
import Testing

/// The certificates below the issuing authority that may sign lists: form of the list by kind of certificate.
@Suite struct ListSignerEntitlementTests {
    /// A number that issuers and verifiers could have agreed upon for id-kp-oauthStatusSigning.
    private static let statusSigning = OID("1.3.6.1.4.1.55555.1")

    enum List: String, CaseIterable, Sendable {
        case statusListJWT, statusListCWT, identifierList
    }

    enum Kind: String, CaseIterable, Sendable {
        case listSigner, listSignerByNumber, otherDocumentSigner, reader, vicalSigner, webServer, anyPurpose
        case withoutKeyUsage, authority
    }

    /// The accepted kinds without an agreed number, and with one.
    private static let entitled: Set<Kind> = [.listSigner]
    private static let entitledByNumber: Set<Kind> = [.listSigner, .listSignerByNumber]

    private static func certificate(
        _ kind: Kind,
        for key: PublicKey,
        by iaca: CertificateAuthority
    ) async throws
        -> Certificate
    {
        let validity = Utopia.now - Utopia.day...Utopia.now + 30 * Utopia.day
        let subject = try DistinguishedName(countryName: "UT", organizationName: "Utopia", commonName: "Utopia \(kind)")
        let list = "https://utopia.example/iaca.crl"
        switch kind {
        case .listSigner:
            return try await iaca.issueStatusListSigner(subject: subject, publicKey: key, validity: validity)
        case .listSignerByNumber:
            return try await iaca.issueStatusListSigner(
                subject: subject,
                publicKey: key,
                validity: validity,
                purposes: [try #require(statusSigning)]
            )
        case .otherDocumentSigner:
            return try await iaca.issueDocumentSigner(
                commonName: "Utopia other signer",
                publicKey: key,
                validity: validity,
                revocationListURI: list
            )
        case .reader:
            return try await iaca.issueReader(
                subject: subject,
                publicKey: key,
                validity: validity,
                revocationListURI: list
            )
        case .vicalSigner:
            return try await iaca.issueVICALSigner(
                subject: subject,
                publicKey: key,
                validity: validity,
                revocationListURI: list
            )
        case .webServer, .anyPurpose, .withoutKeyUsage, .authority:
            let extensions: [CertificateExtension] =
                switch kind {
                case .webServer: [.keyUsage(.digitalSignature), .extendedKeyUsage([.serverAuthentication])]
                case .anyPurpose: [.keyUsage(.digitalSignature), .extendedKeyUsage([.anyExtendedKeyUsage])]
                case .authority:
                    [.keyUsage([.digitalSignature, .keyCertSign]), .certificateAuthority(pathLength: nil)]
                default: []
                }
            return try await CertificateBuilder(
                subject: subject,
                publicKey: key,
                validity: validity,
                extensions: extensions
            ).issued(by: iaca)
        }
    }

    @Test(arguments: List.allCases, Kind.allCases)
    func entitlement(toSign list: List, of kind: Kind) async throws {
        let issuer = try await ListIssuer()
        let certificate = try await Self.certificate(kind, for: issuer.key.publicKey, by: issuer.utopia.iaca)
        let reference = list == .identifierList ? ListIssuer.status([4]) : ListIssuer.status(0)
        let transport =
            switch list {
            case .statusListJWT: ListIssuer.transport(try await issuer.statusToken(.jwt, x5chain: [certificate]))
            case .statusListCWT: ListIssuer.transport(try await issuer.statusToken(.cwt, x5chain: [certificate]))
            case .identifierList: ListIssuer.transport(nil, try await issuer.identifierToken(x5chain: [certificate]))
            }
        let status = await issuer.status(MdocStatusChecker(transport: transport), reference)
        #expect(status.kind == (Self.entitled.contains(kind) ? .valid : .unknown), "\(status)")
        let agreeing = MdocStatusChecker(
            transport: transport,
            signers: .statusListSigner(purposes: [try #require(Self.statusSigning)])
        )
        let agreed = await issuer.status(agreeing, reference)
        #expect(agreed.kind == (Self.entitledByNumber.contains(kind) ? .valid : .unknown), "\(agreed)")
        // The authority that a credential names for its list entitles the same certificates only.
        let named =
            list == .identifierList
            ? ListIssuer.status([4], certificate: issuer.utopia.iaca.certificate)
            : ListIssuer.status(0, certificate: issuer.utopia.iaca.certificate)
        let namedStatus = await issuer.status(MdocStatusChecker(transport: transport), named)
        #expect(namedStatus.kind == status.kind, "\(namedStatus)")
    }

    /// The key of the credential's signer signs only documents, even if it has a second certificate as a signer of
    /// lists.
    @Test(arguments: StatusListToken.Form.allCases)
    func theDocumentSignersKeyWithACertificateForLists(_ form: StatusListToken.Form) async throws {
        let issuer = try await ListIssuer()
        let key = issuer.utopia.documentSignerKey
        let certificate = try await Self.certificate(.listSigner, for: key.publicKey, by: issuer.utopia.iaca)
        let transport = try await ListIssuer.signing(issuer, with: key, certificate, form)
        let checker = MdocStatusChecker(transport: transport)
        #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .unknown)
        #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .unknown)
    }
}
