import CBORKit
import COSEKit
import CredentialTesting
import CredentialTransport
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import StatusListKit
import Testing

/// The verdicts of a checker, and the signers that it accepts.
@Suite struct MdocStatusCheckerTests {
    @Test(arguments: StatusListToken.Form.allCases)
    func everyStatusOfAList(_ form: StatusListToken.Form) async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(try await issuer.statusToken(form))
        let checker = MdocStatusChecker(transport: transport)
        let expected: [(UInt64, StatusKind)] = [
            (0, .valid), (1, .revoked), (2, .suspended), (3, .unknown), (15, .valid), (16, .unknown),
            (UInt64.max, .unknown),
        ]
        for (index, kind) in expected {
            #expect(await issuer.status(checker, ListIssuer.status(index)).kind == kind, "\(index)")
        }
        #expect(transport.requests.count == 1)
    }

    /// Statuses without a meaning of their own (Token Status List, 7.1).
    @Test func statusesThatAreReserved() async throws {
        let issuer = try await ListIssuer()
        let list = StatusList(bytes: [0, 1, 2, 3, 4, 0x0c, 0xff], bits: .eight)
        let checker = MdocStatusChecker(transport: ListIssuer.transport(try await issuer.statusToken(list: list)))
        let expected: [StatusKind] = [.valid, .revoked, .suspended, .unknown, .unknown, .unknown, .unknown]
        for (index, kind) in expected.enumerated() {
            #expect(await issuer.status(checker, ListIssuer.status(UInt64(index))).kind == kind, "\(index)")
        }
    }

    @Test(
        arguments: [([1, 2, 3], .revoked), ([9], .revoked), ([], .revoked), ([1, 2], .valid)]
            as [([UInt8], StatusKind)]
    )
    func whoIsInAnIdentifierListIsRevoked(_ identifier: [UInt8], kind: StatusKind) async throws {
        let issuer = try await ListIssuer()
        let transport = ListIssuer.transport(nil, try await issuer.identifierToken())
        let checker = MdocStatusChecker(transport: transport)
        #expect(await issuer.status(checker, ListIssuer.status(identifier)).kind == kind)
        #expect(transport.requests.first?.accepted == [.identifierListCWT])
    }

    @Test(
        arguments: [
            (0, [4], .valid), (1, [4], .revoked), (0, [9], .revoked), (2, [9], .revoked), (2, [4], .suspended),
            (3, [4], .unknown), (3, [9], .revoked),
        ] as [(UInt64, [UInt8], StatusKind)]
    )
    func bothMechanismsMustAgree(_ index: UInt64, _ identifier: [UInt8], kind: StatusKind) async throws {
        let issuer = try await ListIssuer()
        let checker = MdocStatusChecker(
            transport: ListIssuer.transport(try await issuer.statusToken(), try await issuer.identifierToken())
        )
        let status = MobileSecurityObject.Status(
            statusList: ListIssuer.status(index).statusList,
            identifierList: ListIssuer.status(identifier).identifierList
        )
        #expect(await issuer.status(checker, status).kind == kind)
    }

    /// An identifier as text may have another spelling in the list: only a list that contains it gives a verdict.
    @Test(arguments: [([9], .revoked), ([4], .unknown)] as [([UInt8], StatusKind)])
    func anIdentifierAsTextIsNeverShownToBeAbsent(_ identifier: [UInt8], kind: StatusKind) async throws {
        let issuer = try await ListIssuer()
        let text = CBOR.text(String(decoding: identifier, as: UTF8.self))
        let credential = try await issuer.utopia.licence(options: .deployed) { object in
            object.set("status", ["identifier_list": ["id": text, "uri": .text(ListIssuer.identifierURI)]])
        }
        #expect(credential.deviations.map(\.tolerance) == [.textIdentifier])
        let status = try #require(credential.mobileSecurityObject.status)
        let checker = MdocStatusChecker(transport: ListIssuer.transport(nil, try await issuer.identifierToken()))
        #expect(await issuer.status(checker, status).kind == kind)
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(issuer.utopia.iaca.certificate)],
            statusChecker: checker,
            clock: { Utopia.now }
        )
        let verification = await verifier.verify(credential)
        guard let failure = verification.failure else {
            Issue.record("verified")
            return
        }
        #expect(failure.reason == (kind == .revoked ? .statusRevoked : .statusUnknown))
    }

    @Test func oneOfTwoMechanismsThatCannotBeHad() async throws {
        let issuer = try await ListIssuer()
        let checker = MdocStatusChecker(transport: ListIssuer.transport(try await issuer.statusToken()))
        let status = MobileSecurityObject.Status(
            statusList: ListIssuer.status(0).statusList,
            identifierList: ListIssuer.status([4]).identifierList
        )
        #expect(await issuer.status(checker, status).kind == .unknown)
    }

    @Test func noMechanism() async throws {
        let issuer = try await ListIssuer()
        let checker = MdocStatusChecker(transport: ListIssuer.transport())
        #expect(await issuer.status(checker, MobileSecurityObject.Status()).kind == .unknown)
    }

    @Test func listsThatCannotBeHad() async throws {
        let issuer = try await ListIssuer()
        for checker in [MdocStatusChecker(transport: ListIssuer.transport()), MdocStatusChecker(transport: nil)] {
            #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .unknown)
            #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .unknown)
        }
    }

    // MARK: Whom it believes

    @Test(arguments: [true, false])
    func theChainMayStandInEitherHeader(_ isProtected: Bool) async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.statusToken(isChainProtected: isProtected)
        let identifiers = try await issuer.identifierToken(isChainProtected: isProtected) { _ in }
        let checker = MdocStatusChecker(transport: ListIssuer.transport(token, identifiers))
        #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .valid)
        #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .valid)
    }

    /// Another authority whose signer signs the lists.
    private func stranger(_ issuer: ListIssuer) async throws -> (CertificateAuthority, Certificate) {
        let root = issuer.utopia.iaca.certificate
        let authority = try await CertificateAuthority.root(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia revocations"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: root.notValidBefore...root.notValidAfter
        )
        return (authority, try await ListIssuer.signerCertificate(for: issuer.key.publicKey, by: authority))
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func anotherAuthorityIsBelievedOnlyWhereTheCredentialNamesIt(_ form: StatusListToken.Form) async throws {
        let issuer = try await ListIssuer()
        let (authority, certificate) = try await stranger(issuer)
        let checker = MdocStatusChecker(
            transport: ListIssuer.transport(
                try await issuer.statusToken(form, x5chain: [certificate]),
                try await issuer.identifierToken(x5chain: [certificate])
            )
        )
        #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .unknown)
        #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .unknown)
        let named = authority.certificate
        #expect(await issuer.status(checker, ListIssuer.status(0, certificate: named)).kind == .valid)
        #expect(await issuer.status(checker, ListIssuer.status([4], certificate: named)).kind == .valid)
        #expect(await issuer.status(checker, ListIssuer.status([9], certificate: named)).kind == .revoked)
    }

    /// The authority of the credential's signer is not asked where the credential names another one.
    @Test func theNamedAuthorityAloneIsBelieved() async throws {
        let issuer = try await ListIssuer()
        let (authority, _) = try await stranger(issuer)
        let checker = MdocStatusChecker(
            transport: ListIssuer.transport(try await issuer.statusToken(), try await issuer.identifierToken())
        )
        let named = authority.certificate
        #expect(await issuer.status(checker, ListIssuer.status(0, certificate: named)).kind == .unknown)
        #expect(await issuer.status(checker, ListIssuer.status([4], certificate: named)).kind == .unknown)
    }

    @Test func aMalformedNamedCertificateLeavesTheStatusUnknown() async throws {
        let issuer = try await ListIssuer()
        let checker = MdocStatusChecker(
            transport: ListIssuer.transport(try await issuer.statusToken(), try await issuer.identifierToken())
        )
        let statuses = [
            MobileSecurityObject.Status(statusList: .init(index: 0, uri: ListIssuer.uri, certificate: [0x30, 0])),
            MobileSecurityObject.Status(
                identifierList: .init(identifier: [4], uri: ListIssuer.identifierURI, certificate: [])
            ),
        ]
        for status in statuses { #expect(await issuer.status(checker, status).kind == .unknown) }
    }

    /// The document signer does not certify signers of lists, nor sign lists itself.
    @Test(arguments: StatusListToken.Form.allCases)
    func theDocumentSignerIsNotBelieved(_ form: StatusListToken.Form) async throws {
        let issuer = try await ListIssuer()
        let utopia = issuer.utopia
        let below = try await CertificateBuilder(
            subject: DistinguishedName(countryName: "UT", commonName: "below the document signer"),
            publicKey: issuer.key.publicKey,
            validity: Utopia.now - Utopia.day...Utopia.now + Utopia.day,
            extensions: [.keyUsage(.digitalSignature)]
        ).issued(
            by: CertificateAuthority(
                certificate: utopia.documentSigner,
                signer: SoftwareSigner(utopia.documentSignerKey)
            )
        )
        for chain in [[below], [below, utopia.documentSigner]] {
            let checker = MdocStatusChecker(
                transport: ListIssuer.transport(
                    try await issuer.statusToken(form, x5chain: chain),
                    try await issuer.identifierToken(x5chain: chain)
                )
            )
            #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .unknown)
            #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .unknown)
        }
        let own = try await ListIssuer.signing(issuer, with: utopia.documentSignerKey, utopia.documentSigner, form)
        #expect(await issuer.status(MdocStatusChecker(transport: own), ListIssuer.status(0)).kind == .unknown)
        #expect(await issuer.status(MdocStatusChecker(transport: own), ListIssuer.status([4])).kind == .unknown)
    }

    @Test func aCertificateThatMayNotSignLists() async throws {
        let issuer = try await ListIssuer()
        let certificate = try await CertificateBuilder(
            subject: DistinguishedName(countryName: "UT", commonName: "Utopia lists"),
            publicKey: issuer.key.publicKey,
            validity: Utopia.now - Utopia.day...Utopia.now + Utopia.day,
            extensions: [.keyUsage(.keyAgreement)]
        ).issued(by: issuer.utopia.iaca)
        let checker = MdocStatusChecker(
            transport: ListIssuer.transport(
                try await issuer.statusToken(x5chain: [certificate]),
                try await issuer.identifierToken(x5chain: [certificate])
            )
        )
        #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .unknown)
        #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .unknown)
    }

    @Test(arguments: StatusListToken.Form.allCases)
    func aTokenWithoutExpiryIsRefused(_ form: StatusListToken.Form) async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.statusToken(form, expirationTime: nil)
        let checker = MdocStatusChecker(transport: ListIssuer.transport(token))
        #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .unknown)
    }

    @Test func aTokenPastItsExpiry() async throws {
        let issuer = try await ListIssuer()
        let checker = MdocStatusChecker(
            transport: ListIssuer.transport(try await issuer.statusToken(), try await issuer.identifierToken())
        )
        for (status, kind) in [(ListIssuer.status(1), StatusKind.unknown), (ListIssuer.status([9]), .unknown)] {
            #expect(await issuer.status(checker, status).kind == .revoked)
            #expect(await issuer.status(checker, status, at: Utopia.now + 2 * Utopia.day).kind == kind)
        }
    }

    @Test func aListOfAnotherURI() async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.statusToken(uri: "https://utopia.example/lists/2")
        let checker = MdocStatusChecker(transport: ListIssuer.transport(token))
        #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .unknown)
    }

    // MARK: Redirects and snapshots

    @Test(arguments: [(5, StatusKind.valid), (6, .unknown)])
    func aFewRedirectsAreFollowed(_ count: Int, kind: StatusKind) async throws {
        let issuer = try await ListIssuer()
        let token = try await issuer.statusToken()
        let identifiers = try await issuer.identifierToken()
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            let parts = request.url.path.split(separator: "/")
            let hops = parts.last.flatMap { Int($0) }.map { $0 == 1 ? 0 : $0 - 100 } ?? 0
            if hops < count { return .redirect(to: "https://utopia.example/\(parts[0])/\(101 + hops)") }
            return parts.first == "lists"
                ? .ok(token.encodedBytes, type: .statusListCWT)
                : .ok(identifiers.encodedBytes, type: .identifierListCWT)
        }
        let checker = MdocStatusChecker(transport: transport)
        #expect(await issuer.status(checker, ListIssuer.status(0)).kind == kind)
        #expect(await issuer.status(checker, ListIssuer.status([4])).kind == kind)
    }

    @Test func redirectsInACircleAreNot() async throws {
        let issuer = try await ListIssuer()
        let transport = InMemoryHTTPTransport { request throws(TransportError) in
            .redirect(to: request.url.path == "/a" ? "https://utopia.example/b" : "https://utopia.example/a")
        }
        let checker = MdocStatusChecker(transport: transport)
        #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .unknown)
        #expect(transport.requests.count == 3)
    }

    @Test func snapshotsDoWithoutANetwork() async throws {
        let issuer = try await ListIssuer()
        var lists = StatusListSnapshot()
        lists.insert(try await issuer.statusToken(), for: ListIssuer.uri)
        var identifiers = IdentifierListSnapshot()
        identifiers.insert(try await issuer.identifierToken(), for: ListIssuer.identifierURI)
        let checker = MdocStatusChecker(
            snapshot: try StatusListSnapshot(decoding: lists.encoded()),
            identifierLists: try IdentifierListSnapshot(decoding: identifiers.encoded())
        )
        for _ in 0..<2 {
            #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .valid)
            #expect(await issuer.status(checker, ListIssuer.status(1)).kind == .revoked)
            #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .valid)
            #expect(await issuer.status(checker, ListIssuer.status([9])).kind == .revoked)
        }
        let late = Utopia.now + 2 * Utopia.day
        #expect(await issuer.status(checker, ListIssuer.status(0), at: late).kind == .unknown)
        #expect(await issuer.status(checker, ListIssuer.status([4]), at: late).kind == .unknown)
    }

    @Test func whatASnapshotHoldsIsVerifiedToo() async throws {
        let issuer = try await ListIssuer()
        let (_, certificate) = try await stranger(issuer)
        var lists = StatusListSnapshot()
        lists.insert(try await issuer.statusToken(x5chain: [certificate]), for: ListIssuer.uri)
        var identifiers = IdentifierListSnapshot()
        identifiers.insert(try await issuer.identifierToken(x5chain: [certificate]), for: ListIssuer.identifierURI)
        let checker = MdocStatusChecker(snapshot: lists, identifierLists: identifiers)
        #expect(await issuer.status(checker, ListIssuer.status(0)).kind == .unknown)
        #expect(await issuer.status(checker, ListIssuer.status([4])).kind == .unknown)
    }

    @Test func aSnapshotStandsInWhereTheNetworkFails() async throws {
        let issuer = try await ListIssuer()
        var lists = StatusListSnapshot()
        lists.insert(try await issuer.statusToken(), for: ListIssuer.uri)
        var identifiers = IdentifierListSnapshot()
        identifiers.insert(try await issuer.identifierToken(), for: ListIssuer.identifierURI)
        let transport = ListIssuer.transport()
        let checker = MdocStatusChecker(transport: transport, statusLists: lists, identifierLists: identifiers)
        #expect(await issuer.status(checker, ListIssuer.status(1)).kind == .revoked)
        #expect(await issuer.status(checker, ListIssuer.status([9])).kind == .revoked)
        #expect(transport.requests.count == 2)
    }

    // MARK: Through the verifier

    @Test(
        arguments: [(0, nil), (1, .statusRevoked), (2, .statusSuspended), (16, .statusUnknown)]
            as [(UInt64, FailureReason?)]
    )
    func decidesOverADocument(_ index: UInt64, reason: FailureReason?) async throws {
        let issuer = try await ListIssuer()
        let utopia = issuer.utopia
        var builder = try utopia.builder()
        builder.status = ListIssuer.status(index)
        let verifier = MdocVerifier(
            trustAnchors: [TrustAnchor(utopia.iaca.certificate)],
            statusChecker: MdocStatusChecker(transport: ListIssuer.transport(try await issuer.statusToken())),
            clock: { Utopia.now }
        )
        let response = try await utopia.present(utopia.issue(builder))
        let document = try #require(try await utopia.verify(response, with: verifier).documents.first)
        #expect(document.failure?.reason == reason, "\(document.checks)")
    }
}

extension ListIssuer {
    /// A transport with lists that are signed by a key of the caller's.
    static func signing(
        _ issuer: ListIssuer,
        with key: PrivateKey,
        _ certificate: Certificate,
        _ form: StatusListToken.Form
    ) async throws -> InMemoryHTTPTransport {
        let other = ListIssuer(issuer, key: key, certificate: certificate)
        return transport(try await other.statusToken(form), try await other.identifierToken())
    }

    private init(_ issuer: ListIssuer, key: PrivateKey, certificate: Certificate) {
        utopia = issuer.utopia
        documentSigner = issuer.documentSigner
        self.key = key
        self.certificate = certificate
    }
}
