import CBORKit
import COSEKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import Testing

/// Making RICALs and the certificates of their signers.
@Suite struct RICALBuilderTests {
    private let provider: ListProvider
    private let utopia: Utopia

    init() async throws {
        provider = try await ListProvider()
        utopia = try await Utopia()
    }

    private var authority: Certificate { utopia.readerAuthority.certificate }

    private func signersCertificate(
        _ key: PrivateKey,
        organization: String? = "Lists",
        days: Double = 365
    ) async throws -> Certificate {
        let start = Utopia.now - Utopia.day
        return try await provider.root.issueRICALSigner(
            subject: DistinguishedName(
                countryName: "NL",
                organizationName: organization,
                commonName: "RICAL signer"
            ),
            publicKey: key.publicKey,
            validity: start...start + days * Utopia.day,
            revocationListURI: "https://lists.example/crl"
        )
    }

    private func builder() throws -> RICALBuilder {
        var builder = RICALBuilder(provider: "Lists", date: Utopia.now - Utopia.day)
        builder.id = 7
        builder.nextUpdate = Utopia.now + Utopia.day
        builder.notAfter = Utopia.now + 2 * Utopia.day
        builder.latestURL = "https://lists.example/rical"
        try builder.add(
            authority,
            name: "Readers of Utopia",
            type: "urn:example",
            trustConstraints: [["org.example.sector": "health"]]
        )
        return builder
    }

    @Test(arguments: [EllipticCurve.p256, .p384, .p521, .brainpoolP256r1, .ed25519].filter(\.isSupported))
    func whatIsBuiltIsVerified(_ curve: EllipticCurve) async throws {
        let key = try PrivateKey.generate(curve)
        let certificate = try await signersCertificate(key)
        let built = try await builder().sign(with: SoftwareSigner(key), x5chain: [certificate])
        let read = try RICAL(decoding: [UInt8](built.encodedBytes), options: .strict)
        #expect(!read.signature.isTagged)
        #expect(read.signature.headers.protected.contains(.x5chain))
        #expect(read.deviations.isEmpty)
        #expect(read.unreadableEntries.isEmpty)
        #expect(read.type == RICAL.readerAuthentication)
        #expect(read.provider == "Lists")
        #expect(read.id == 7)
        #expect(read.date == Utopia.now - Utopia.day)
        #expect(read.nextUpdate == Utopia.now + Utopia.day)
        #expect(read.notAfter == Utopia.now + 2 * Utopia.day)
        #expect(read.latestURL == "https://lists.example/rical")
        let info = try #require(read.certificateInfos.first)
        #expect(info.deviations.isEmpty)
        #expect(info.certificate == authority)
        #expect(info.type == "urn:example")
        #expect(info.name == "Readers of Utopia")
        #expect(info.isTrustAnchor)
        #expect(info.authorityKeyIdentifier == nil)
        #expect(info.stated.subject == Array(authority.subject.encodedBytes))
        #expect(info.stated.notAfter == authority.notValidAfter)
        let constraint = try #require(info.trustConstraints.first)
        #expect(try constraint.extensions?.value(forKey: "org.example.sector")?.text() == "health")
        let verification = read.verify(anchors: [provider.root.certificate], at: Utopia.now, lastID: 7)
        #expect(verification.failure == nil)
        #expect(verification.verified?.signer.leaf == certificate)
        #expect(verification.verified?.readerAuthorities.map(\.certificate) == [authority])
    }

    @Test func theLeastThatAListHolds() async throws {
        var builder = RICALBuilder(provider: "Lists", date: Utopia.now)
        builder.type = "org.example.banks"
        try builder.add(authority)
        let list = try await builder.sign(with: SoftwareSigner(provider.signerKey), x5chain: [provider.signer])
        guard case .array(let parts) = try CBOR(decoding: [UInt8](list.encodedBytes)),
            parts.count == 4, case .bytes(let payload) = parts[2], case .map(let members) = try CBOR(decoding: payload)
        else {
            Issue.record("no list")
            return
        }
        #expect(members.map(\.key) == ["type", "version", "provider", "date", "certificateInfos"])
        #expect(list.certificateInfos.first?.trustConstraints.isEmpty == true)
        let anchors = [provider.root.certificate]
        #expect(list.verify(anchors: anchors, at: Utopia.now).failure?.check == .type)
        #expect(list.verify(anchors: anchors, at: Utopia.now, types: ["org.example.banks"]).failure == nil)
    }

    @Test func anAuthorityBelowAnother() async throws {
        var builder = RICALBuilder(provider: "Lists", date: Utopia.now)
        let below = try await utopia.readerAuthority.subordinate(
            subject: DistinguishedName(countryName: "UT", commonName: "Readers of a town"),
            signer: SoftwareSigner(PrivateKey.generate(.p256)),
            validity: authority.notValidBefore...authority.notValidAfter
        )
        try builder.add(authority)
        try builder.add(below.certificate, isTrustAnchor: false)
        let list = try await builder.sign(with: SoftwareSigner(provider.signerKey), x5chain: [provider.signer])
        #expect(list.certificateInfos.map(\.isTrustAnchor) == [true, false])
        #expect(list.certificateInfos.last?.authorityKeyIdentifier == authority.subjectKeyIdentifier.map(Array.init))
        let verified = try #require(list.verify(anchors: [provider.root.certificate], at: Utopia.now).verified)
        #expect(verified.readerAuthorities.map(\.isTrustAnchor) == [true, false])
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
        let everybody = #expect(throws: MdocError.self) {
            try builder.add(authority, trustConstraints: [["a": 1], [:]])
        }
        #expect(everybody?.code == .invalidValue)
        let root = provider.root.certificate
        #expect(root.authorityKeyIdentifier == nil)
        let below = #expect(throws: MdocError.self) { try builder.add(root, isTrustAnchor: false) }
        #expect(below?.code == .invalidValue)
        for x5chain in [[], [provider.signer, root]] {
            let chain = #expect(throws: MdocError.self) { try builder.prepare(x5chain: x5chain) }
            #expect(chain?.code == .invalidValue)
        }
        builder.date = Date(timeIntervalSince1970: 1e12)
        let date = #expect(throws: MdocError.self) { try builder.prepare(x5chain: [provider.signer]) }
        #expect(date?.code == .invalidValue)
        let empty = RICALBuilder(provider: "Lists", date: Utopia.now)
        let none = #expect(throws: MdocError.self) { try empty.prepare(x5chain: [provider.signer]) }
        #expect(none?.code == .invalidValue)
    }

    @Test func aSerialNumberThatAListHasNoFormFor() async throws {
        let number = Array(authority.serialNumber)
        var negative = number
        negative[0] |= 0x80
        let certificate = try await authority.replacing(
            [2, 16] + number,
            with: [2, 16] + negative,
            signedBy: utopia.readerAuthority
        )
        var list = try builder()
        let readers = #expect(throws: MdocError.self) { try list.add(certificate) }
        #expect(readers?.code == .invalidValue)
        var issuers = VICALBuilder(provider: "Lists", date: Utopia.now)
        let authorities = #expect(throws: MdocError.self) { try issuers.add(certificate, docTypes: [.mDL]) }
        #expect(authorities?.code == .invalidValue)
    }

    @Test func signersOutsideOfTheProfile() async throws {
        let key = try PrivateKey.generate(.p256)
        for (organization, days) in [(nil, 365), ("Lists", 1188)] as [(String?, Double)] {
            let error = await #expect(throws: CryptoError.self) {
                try await signersCertificate(key, organization: organization, days: days)
            }
            #expect(error?.code == .invalidParameter)
        }
        let reader = try await builder().sign(with: SoftwareSigner(utopia.readerKey), x5chain: [utopia.reader])
        let failure = reader.verify(anchors: [utopia.readerAuthority.certificate], at: Utopia.now).failure
        #expect(failure?.check == .signerCertificate)
    }
}
