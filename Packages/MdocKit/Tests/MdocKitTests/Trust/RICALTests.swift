import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import Testing

/// Reading and verifying RICALs.
@Suite struct RICALTests {
    private let provider: ListProvider
    private let utopia: Utopia

    init() async throws {
        provider = try await ListProvider()
        utopia = try await Utopia()
    }

    private var authority: Certificate { utopia.readerAuthority.certificate }

    private func list(
        _ members: CBORMap = [:],
        _ change: (inout CBOR) -> Void = { _ in }
    ) async throws -> RICAL {
        var payload = ListProvider.rical([ListProvider.entry(authority, members)])
        change(&payload)
        return try RICAL(
            decoding: await provider.sign(payload.encoded(), certificatesIn: .protected),
            options: .deployed
        )
    }

    private func verify(
        _ list: RICAL,
        lastID: UInt64? = nil,
        lastDate: Date? = nil,
        types: Set<String> = [RICAL.readerAuthentication]
    ) -> Verification<VerifiedRICAL> {
        list.verify(
            anchors: [provider.root.certificate],
            at: Utopia.now,
            lastID: lastID,
            lastDate: lastDate,
            types: types
        )
    }

    @Test func everyMember() async throws {
        let list = try await list([
            "type": "urn:example", "name": "Readers of Utopia", "isTrustAnchor": false, "aki": .bytes([1, 2]),
            "trustConstraints": [["extensions": ["a": 1]], [:]], "issuingCountry": "UT", "unknown": 1,
        ]) {
            $0.set("latestRicalUrl", "https://lists.example/rical")
            $0.set("extensions", ["c": 3])
        }
        #expect(list.type == RICAL.readerAuthentication)
        #expect(list.version == .v1_0)
        #expect(list.provider == "Lists")
        #expect(list.id == 7)
        #expect(list.date == Utopia.now - Utopia.day)
        #expect(list.nextUpdate == Utopia.now + Utopia.day)
        #expect(list.notAfter == Utopia.now + 2 * Utopia.day)
        #expect(list.latestURL == "https://lists.example/rical")
        #expect(try list.extensions?.value(forKey: "c")?.integer() == 3)
        let info = try #require(list.certificateInfos.first)
        #expect(info.certificate == authority)
        #expect(info.type == "urn:example")
        #expect(info.name == "Readers of Utopia")
        #expect(!info.isTrustAnchor)
        #expect(info.authorityKeyIdentifier == [1, 2])
        #expect(info.trustConstraints.map(\.isEmpty) == [false, true])
        #expect(info.stated.issuingCountry == "UT")
        #expect(info.deviations.isEmpty)
    }

    /// F.3.2 has the certificates of a RICAL in the protected header, where C.1.7.1 has those of a VICAL in the other.
    @Test func certificatesInTheUnprotectedHeader() async throws {
        let payload = ListProvider.rical([ListProvider.entry(authority)]).encoded()
        let bytes = try await provider.sign(payload, certificatesIn: .unprotected)
        let error = #expect(throws: MdocError.self) { try RICAL(decoding: bytes) }
        #expect(error?.code == .deviation)
        #expect(error?.message == "not tolerated: unprotectedX5chain")
        let read = try RICAL(decoding: bytes, options: .deployed)
        #expect(read.deviations.map(\.tolerance) == [.unprotectedX5chain])
        #expect(verify(read).failure == nil)
    }

    @Test func aChainThatEndsWithTheRoot() async throws {
        let payload = ListProvider.rical([ListProvider.entry(authority)]).encoded()
        let chain = [provider.signer.derBytes, provider.root.certificate.derBytes]
        let bytes = try await provider.sign(payload, certificatesIn: .protected, x5chain: chain)
        let error = #expect(throws: MdocError.self) { try RICAL(decoding: bytes) }
        #expect(error?.code == .deviation)
        #expect(error?.message == "not tolerated: rootInX5chain")
        let read = try RICAL(decoding: bytes, options: .deployed)
        #expect(read.deviations.map(\.tolerance) == [.rootInX5chain])
        #expect(verify(read).failure == nil)
    }

    @Test func anotherCertificateThanTheSignedOne() async throws {
        let payload = ListProvider.rical([ListProvider.entry(authority)]).encoded()
        for (named, isVerified) in [(provider.signer, true), (provider.root.certificate, false)] {
            let bytes = try await provider.sign(payload, certificatesIn: .protected, x5t: named)
            let failure = verify(try RICAL(decoding: bytes)).failure
            #expect(failure?.check == (isVerified ? nil : .issuerSignature))
            #expect(failure == nil || failure?.message == "the hash is of another certificate")
        }
    }

    @Test func theOtherSpellingOfConstraints() async throws {
        let one = try await list(["trustContraints": [["x": 1]]])
        #expect(one.certificateInfos.first?.trustConstraints.first?.reservedMembers == ["x"])
        let both = try await list(["trustContraints": [["x": 1]], "trustConstraints": [["y": 1]]])
        #expect(both.certificateInfos.first?.trustConstraints.map(\.reservedMembers) == [["y"], ["x"]])
    }

    @Test(
        arguments: [
            ("type", nil, .missingMember), ("version", "2.0", .unsupportedVersion), ("provider", nil, .missingMember),
            ("id", "7", .unexpectedType), ("date", nil, .missingMember), ("nextUpdate", 1, .unexpectedType),
            ("notAfter", 1, .unexpectedType), ("certificateInfos", nil, .missingMember),
            ("certificateInfos", [], .invalidValue), ("latestRicalUrl", 1, .unexpectedType),
            ("extensions", 1, .unexpectedType),
        ] as [(CBOR, CBOR?, MdocError.Code)]
    )
    func membersOfTheList(_ key: CBOR, _ value: CBOR?, _ code: MdocError.Code) async throws {
        let error = await #expect(throws: MdocError.self) { try await list([:]) { $0.set(key, value) } }
        #expect(error?.code == code)
    }

    @Test(
        arguments: [
            ("type", 1, .unexpectedType), ("name", 1, .unexpectedType), ("isTrustAnchor", 1, .unexpectedType),
            ("aki", 1, .unexpectedType), ("trustConstraints", [:], .unexpectedType),
            ("trustConstraints", [1], .unexpectedType), ("trustContraints", [1], .unexpectedType),
            ("trustConstraints", [[1: 1]], .unexpectedType), ("trustConstraints", [["extensions": 1]], .unexpectedType),
            ("trustConstraints", .array(Array(repeating: [:], count: 65)), .limitExceeded),
        ] as [(CBOR, CBOR, MdocError.Code)]
    )
    func faultyEntriesArePassedOver(_ key: CBOR, _ value: CBOR, _ code: MdocError.Code) async throws {
        var members: CBORMap = [:]
        members.append(key, value)
        let list = try await list(members)
        #expect(list.certificateInfos.isEmpty)
        #expect(list.unreadableEntries.map(\.error.code) == [code])
    }

    @Test func checksOfTheList() async throws {
        let list = try await list()
        #expect(verify(list).failure == nil)
        #expect(verify(list).verified?.freshness == .current(until: Utopia.now + Utopia.day))
        #expect(verify(list, lastID: 7).failure == nil)
        #expect(verify(list, lastID: 8).failure?.check == .issueID)
        #expect(verify(list, lastID: 7, lastDate: list.date).failure == nil)
        #expect(verify(list, lastID: 7, lastDate: list.date + 1).failure?.check == .issueID)
        #expect(verify(list, lastID: 6, lastDate: list.date + 1).failure == nil)
        #expect(verify(list, lastDate: list.date + 1).failure?.check == .issueID)
        #expect(list.verify(anchors: [], at: Utopia.now).failure?.check == .signerCertificate)
        let late = Utopia.now + 3 * Utopia.day
        #expect(list.verify(anchors: [provider.root.certificate], at: late).failure?.check == .validity)
        let early = Utopia.now - Utopia.day - 181
        let checks = list.verify(anchors: [provider.root.certificate], at: early).checks
        #expect(checks.contains { $0.check == .issuedAt && $0.outcome != .passed })
        let other = try await self.list([:]) { $0.set("type", "org.example.banks") }
        #expect(verify(other).failure?.check == .type)
        #expect(verify(other, types: ["org.example.banks"]).failure == nil)
    }

    @Test func authorities() async throws {
        let verified = try #require(
            verify(try await list(["name": "Readers", "isTrustAnchor": true, "trustConstraints": [["x": 1]]])).verified
        )
        let authority = try #require(verified.readerAuthorities.first)
        #expect(authority.certificate == self.authority)
        #expect(authority.name == "Readers")
        #expect(authority.isTrustAnchor)
        #expect(authority.trustConstraints.count == 1)
        #expect(authority.id == TrustAnchor(self.authority).id)
    }
}
