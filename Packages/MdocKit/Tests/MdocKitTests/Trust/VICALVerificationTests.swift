import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocResults
import MdocTrust
import Testing

/// Verifying and making VICALs.
@Suite struct VICALVerificationTests {
    private let provider: ListProvider
    private let utopia: Utopia

    init() async throws {
        provider = try await ListProvider()
        utopia = try await Utopia()
    }

    private var payload: CBOR {
        ListProvider.vical([ListProvider.entry(utopia.iaca.certificate, ["docType": ["org.iso.18013.5.1.mDL"]])])
    }

    private func verify(
        _ bytes: [UInt8],
        anchors: [Certificate]? = nil,
        at time: Date = Utopia.now,
        lastIssueID: UInt64? = nil,
        lastDate: Date? = nil,
        policy: TrustListPolicy = .vical,
        options: TrustListReadingOptions = .strict
    ) throws -> Verification<VerifiedVICAL> {
        try VICAL(decoding: bytes, options: options)
            .verify(
                anchors: anchors ?? [provider.root.certificate],
                at: time,
                lastIssueID: lastIssueID,
                lastDate: lastDate,
                policy: policy
            )
    }

    private func builder() throws -> VICALBuilder {
        var builder = VICALBuilder(provider: "Lists", date: Utopia.now - Utopia.day)
        builder.issueID = 7
        builder.nextUpdate = Utopia.now + Utopia.day
        builder.notAfter = Utopia.now + 2 * Utopia.day
        builder.url = "https://lists.example/vical"
        try builder.add(
            utopia.iaca.certificate,
            docTypes: [.mDL],
            certificateProfiles: ["urn:oid:1.0.18013.5.1.7"],
            issuingAuthority: "Utopia"
        )
        return builder
    }

    @Test(arguments: [ListProvider.Bucket.protected, .unprotected])
    func certificatesInEitherHeader(_ bucket: ListProvider.Bucket) async throws {
        let list = try await provider.sign(payload.encoded(), certificatesIn: bucket)
        let verification = try verify(list, options: .deployed)
        let isDeviation = bucket == .protected
        #expect(verification.deviations.map(\.tolerance) == (isDeviation ? ["protectedX5chain"] : []))
        if isDeviation {
            let error = #expect(throws: MdocError.self) { try verify(list) }
            #expect(error?.code == .deviation)
        }
        #expect(verification.verified?.signer.leaf == provider.signer)
        #expect(verification.verified?.freshness == .current(until: Utopia.now + Utopia.day))
        #expect(verification.failure == nil)
        #expect(
            verification.checks.map(\.check) == [
                .signerCertificate, .issuerSignature, .issuedAt, .validity, .freshness, .issueID,
            ]
        )
    }

    /// C.1.7.1 does not have the root left out, as B.1.1 and F.3.2 do.
    @Test func aChainThatEndsWithTheRoot() async throws {
        let root = provider.root.certificate
        let chain = [provider.signer.derBytes, root.derBytes]
        let verification = try verify(await provider.sign(payload.encoded(), x5chain: chain))
        #expect(verification.deviations.isEmpty)
        #expect(verification.verified?.signer.anchor == root)
        let other = try await ListProvider(seed: 615).root.certificate
        let bytes = try await provider.sign(payload.encoded(), x5chain: chain)
        #expect(try verify(bytes, anchors: [other]).failure?.check == .signerCertificate)
    }

    @Test(arguments: [EllipticCurve.p256, .p384, .p521, .brainpoolP256r1, .ed25519].filter(\.isSupported))
    func whatIsBuiltIsVerified(_ curve: EllipticCurve) async throws {
        let provider = try await ListProvider(curve: curve)
        let built = try await builder().sign(with: SoftwareSigner(provider.signerKey), x5chain: [provider.signer])
        let read = try VICAL(decoding: [UInt8](built.encodedBytes), options: .strict)
        #expect(!read.signature.isTagged)
        #expect(read.signature.headers.protected.contains(.alg))
        #expect(read.signature.headers.unprotected.contains(.x5chain))
        let info = try #require(read.certificateInfos.first)
        #expect(info.deviations.isEmpty)
        #expect(info.issuingAuthority == "Utopia")
        #expect(info.stated.issuingCountry == "UT")
        #expect(read.url == "https://lists.example/vical")
        let verification = read.verify(anchors: [provider.root.certificate], at: Utopia.now)
        #expect(verification.failure == nil)
        #expect(verification.verified?.trustAnchors == [TrustAnchor(utopia.iaca.certificate, docTypes: [.mDL])])
    }

    @Test func buildsAChainWithTheRoot() async throws {
        let chain = [provider.signer, provider.root.certificate]
        let built = try await builder().sign(with: SoftwareSigner(provider.signerKey), x5chain: chain)
        #expect(try verify([UInt8](built.encodedBytes)).verified?.signer.leaf == provider.signer)
    }

    @Test func twoStepsMakeTheSameAsOne() async throws {
        let unsigned = try builder().prepare(x5chain: [provider.signer])
        #expect(unsigned.algorithm == .ecdsaSHA256)
        let signature = try SoftwareSigner(provider.signerKey).signature(for: unsigned.bytesToSign)
        let list = try unsigned.completed(with: signature)
        #expect(list.verify(anchors: [provider.root.certificate], at: Utopia.now).failure == nil)
        let foreign = try SoftwareSigner(utopia.readerKey).signature(for: unsigned.bytesToSign)
        let error = #expect(throws: MdocError.self) { try unsigned.completed(with: foreign) }
        #expect(error?.code == .signingFailed)
    }

    @Test func whatCannotBeBuilt() async throws {
        var builder = try builder()
        let types = #expect(throws: MdocError.self) { try builder.add(utopia.iaca.certificate, docTypes: []) }
        #expect(types?.code == .invalidValue)
        let chain = #expect(throws: MdocError.self) { try builder.prepare(x5chain: []) }
        #expect(chain?.code == .invalidValue)
        builder.date = Date(timeIntervalSince1970: 1e12)
        let date = #expect(throws: MdocError.self) { try builder.prepare(x5chain: [provider.signer]) }
        #expect(date?.code == .invalidValue)
    }

    @Test func documentsAreVerifiedAgainstTheList() async throws {
        let list = try await builder().sign(with: SoftwareSigner(provider.signerKey), x5chain: [provider.signer])
        let verified = try #require(list.verify(anchors: [provider.root.certificate], at: Utopia.now).verified)
        let verifier = MdocVerifier(trustAnchors: verified.trustAnchors, clock: { Utopia.now })
        let licence = try await utopia.present(utopia.licence())
        #expect(try await utopia.verify(licence, with: verifier).documents.first?.failure == nil)
        let other = try await utopia.present(utopia.issue(utopia.builder(docType: "org.example.pass")))
        let failure = try await utopia.verify(other, with: verifier).documents.first?.failure
        #expect(failure?.check == .trustedForDocType)
        #expect(failure?.reason == .issuerNotTrusted)
    }

    @Test func signersThatAreNotTrusted() async throws {
        let bytes = try await provider.sign(payload)
        for anchors in [[], [utopia.iaca.certificate]] {
            #expect(try verify(bytes, anchors: anchors).failure?.check == .signerCertificate)
        }
        let reader = try await provider.sign(
            payload.encoded(),
            x5chain: [utopia.reader.derBytes],
            with: utopia.readerKey
        )
        let verification = try verify(reader, anchors: [utopia.readerAuthority.certificate])
        #expect(verification.failure?.check == .signerCertificate)
        #expect(verification.verified == nil)
        let late = Utopia.now + 400 * Utopia.day
        #expect(try verify(bytes, at: late).failure?.check == .signerCertificate)
        let without = try await provider.sign(payload.encoded(), certificatesIn: .none)
        #expect(try verify(without).failure?.check == .signerCertificate)
        let garbage = try await provider.sign(payload.encoded(), x5chain: [[0x30, 0x00]])
        #expect(try verify(garbage).failure?.check == .signerCertificate)
    }

    @Test func signaturesThatAreWrong() async throws {
        var changed = try CBOR(decoding: await provider.sign(payload))
        changed.change(3) { signature in
            guard case .bytes(var bytes) = signature else { return }
            bytes[9] ^= 1
            signature = .bytes(bytes)
        }
        #expect(try verify(changed.encoded()).failure?.check == .issuerSignature)
        var other = payload
        other.set("vicalIssueID", 8)
        var exchanged = try CBOR(decoding: await provider.sign(payload))
        exchanged.change(2) { $0 = .bytes(other.encoded()) }
        #expect(try verify(exchanged.encoded()).failure?.check == .issuerSignature)
        let foreign = try await provider.sign(payload.encoded(), with: utopia.readerKey)
        let failure = try #require(try verify(foreign).failure)
        #expect(failure.check == .issuerSignature)
        #expect(failure.message == "the signature does not verify")
    }

    /// An algorithm that does not go with the curve of the key is refused, though the signature is right.
    @Test func algorithmsThatDoNotGoWithTheKey() async throws {
        let provider = try await ListProvider(curve: .p384)
        let bytes = try await provider.sign(payload.encoded(), algorithm: .es384)
        #expect(try verify(bytes, anchors: [provider.root.certificate]).failure == nil)
        var renamed = try CBOR(decoding: bytes)
        renamed.change(0) { $0 = .bytes(([1: -7] as CBOR).encoded()) }
        #expect(try verify(renamed.encoded(), anchors: [provider.root.certificate]).failure?.check == .issuerSignature)
    }

    @Test func listsOutOfTheirTime() async throws {
        let bytes = try await provider.sign(payload)
        let end = Utopia.now + 2 * Utopia.day
        #expect(try verify(bytes, at: end).failure == nil)
        #expect(try verify(bytes, at: end + 1).failure?.check == .validity)
        var future = payload
        future.set("date", ListProvider.time(Utopia.now + 180))
        #expect(try verify(await provider.sign(future)).failure == nil)
        future.set("date", ListProvider.time(Utopia.now + 181))
        #expect(try verify(await provider.sign(future)).failure?.check == .issuedAt)
    }

    @Test func listsThatAreOverdue() async throws {
        let bytes = try await provider.sign(payload)
        let due = Utopia.now + Utopia.day
        #expect(try verify(bytes, at: due).verified?.freshness == .current(until: due))
        #expect(try verify(bytes, at: due + 1).verified?.freshness == .updateDue(since: due))
        let waived = CheckResult.Outcome.waived("overdueLists", "the next list was due at \(due)")
        #expect(try verify(bytes, at: due + 1).outcome(of: .freshness) == waived)
        var policy = TrustListPolicy.vical
        policy.refusesOverdueLists = true
        #expect(try verify(bytes, at: due, policy: policy).failure == nil)
        #expect(try verify(bytes, at: due + 1, policy: policy).failure?.check == .freshness)
        var open = payload
        open.set("nextUpdate", nil)
        open.set("notAfter", nil)
        #expect(try verify(await provider.sign(open)).verified?.freshness == .unknown)
    }

    @Test(arguments: [(nil, true), (6, true), (7, true), (8, false)] as [(UInt64?, Bool)])
    func olderIssues(_ last: UInt64?, _ isAccepted: Bool) async throws {
        let verification = try verify(await provider.sign(payload), lastIssueID: last)
        #expect((verification.verified != nil) == isAccepted)
        #expect(verification.failure?.check == (isAccepted ? nil : .issueID))
    }

    @Test func issuesWithoutANumber() async throws {
        var open = payload
        open.set("vicalIssueID", nil)
        let bytes = try await provider.sign(open)
        #expect(try verify(bytes).failure == nil)
        #expect(try verify(bytes, lastIssueID: 1).failure?.check == .issueID)
    }

    /// The list is a day old.
    @Test(
        arguments: [
            (7, -86_400, true), (7, -86_399, false), (6, 0, true), (nil, -86_400, true), (nil, -86_399, false),
        ] as [(UInt64?, TimeInterval, Bool)]
    )
    func comparesDatesOfIssuesWithTheSameNumberOrNone(
        _ last: UInt64?,
        seconds: TimeInterval,
        isAccepted: Bool
    ) async throws {
        var list = payload
        if last == nil { list.set("vicalIssueID", nil) }
        let bytes = try await provider.sign(list)
        let verification = try verify(bytes, lastIssueID: last, lastDate: Utopia.now + seconds)
        #expect(verification.failure?.check == (isAccepted ? nil : .issueID))
    }

    @Test func everyCheckIsMade() async throws {
        var late = payload
        late.set("notAfter", ListProvider.time(Utopia.now - 1))
        let foreign = try await provider.sign(late.encoded(), with: utopia.readerKey)
        let checks = try verify(foreign, anchors: [], lastIssueID: 9).checks
        let failed = checks.filter { if case .failed = $0.outcome { true } else { false } }.map(\.check)
        #expect(failed == [.signerCertificate, .issuerSignature, .validity, .issueID])
    }

    @Test func anchorsOfOneCertificateAreJoined() async throws {
        let iaca = utopia.iaca.certificate
        let infos = [
            ListProvider.entry(iaca, ["docType": ["org.iso.18013.5.1.mDL"]]),
            ListProvider.entry(utopia.readerAuthority.certificate, ["docType": ["a"]]),
            ListProvider.entry(iaca, ["docType": ["a", "b"]]),
        ]
        let verified = try verify(await provider.sign(ListProvider.vical(infos))).verified
        #expect(
            verified?.trustAnchors == [
                TrustAnchor(iaca, docTypes: [.mDL, "a", "b"]),
                TrustAnchor(utopia.readerAuthority.certificate, docTypes: ["a"]),
            ]
        )
    }

    /// A list may hold certificates for other purposes; they issue no documents.
    @Test(
        arguments: [
            ([], true), (["urn:oid:1.0.18013.5.1.7"], true), (["urn:example"], true),
            (["urn:oid:1.0.18013.5.1.6"], false), (["URN:OID:1.0.18013.5.1.6", "urn:oid:1.0.23220.4.1.6"], false),
            (["urn:oid:1.0.18013.5.1.6", "urn:oid:1.0.18013.5.1.7"], true),
            (["urn:oid:1.0.18013.5.1.2"], false), (["urn:oid:1.0.23220.4.1.2"], false),
            (["urn:oid:1.0.18013.5.1.2", "urn:example"], true),
        ] as [([String], Bool)]
    )
    func profilesOfOtherRoles(_ profiles: [String], _ isAnchor: Bool) async throws {
        var builder = VICALBuilder(provider: "Lists", date: Utopia.now)
        try builder.add(utopia.iaca.certificate, docTypes: [.mDL], certificateProfiles: profiles)
        let list = try await builder.sign(with: SoftwareSigner(provider.signerKey), x5chain: [provider.signer])
        let verified = list.verify(anchors: [provider.root.certificate], at: Utopia.now).verified
        #expect(verified?.trustAnchors.isEmpty == !isAnchor)
    }
}
