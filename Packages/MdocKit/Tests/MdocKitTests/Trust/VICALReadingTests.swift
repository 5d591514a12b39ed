import CBORKit
import CredentialTesting
import CryptoCore
import Foundation
import MdocKit
import MdocTrust
import Testing

/// The accepted and the refused forms of a VICAL.
@Suite struct VICALReadingTests {
    private let provider: ListProvider
    private let utopia: Utopia

    init() async throws {
        provider = try await ListProvider()
        utopia = try await Utopia()
    }

    private var iaca: Certificate { utopia.iaca.certificate }

    private func entry(_ change: (inout CBOR) -> Void = { _ in }) -> CBOR {
        var entry = ListProvider.entry(iaca, ["docType": ["org.iso.18013.5.1.mDL"]])
        change(&entry)
        return entry
    }

    private func list(
        _ infos: [CBOR],
        _ options: TrustListReadingOptions = .deployed,
        _ change: (inout CBOR) -> Void = { _ in }
    ) async throws -> VICAL {
        var payload = ListProvider.vical(infos)
        change(&payload)
        return try VICAL(decoding: await provider.sign(payload), options: options)
    }

    private func refusal(_ change: (inout CBOR) -> Void) async throws -> MdocError? {
        await #expect(throws: MdocError.self) { try await list([entry()], .deployed, change) }
    }

    @Test func everyMember() async throws {
        let list = try await list(
            [
                entry {
                    $0.set("certificateProfile", ["urn:oid:1.0.18013.5.1.7"])
                    $0.set("issuingAuthority", "Utopia")
                    $0.set("issuingCountry", "UT")
                    $0.set("stateOrProvinceName", "North")
                    $0.set("issuer", .bytes(Array(iaca.issuer.encodedBytes)))
                    $0.set("subject", .bytes(Array(iaca.subject.encodedBytes)))
                    $0.set("notBefore", ListProvider.time(iaca.notValidBefore))
                    $0.set("notAfter", ListProvider.time(iaca.notValidAfter))
                    $0.set("extensions", ["a": 1])
                    $0.set("unknown", ["b": 2])
                }
            ],
            .strict
        ) {
            $0.set("vicalURL", "https://lists.example/vical")
            $0.set("extensions", ["c": 3])
            $0.set("unknown", 4)
        }
        #expect(list.version == .v1_0)
        #expect(list.provider == "Lists")
        #expect(list.issueID == 7)
        #expect(list.date == Utopia.now - Utopia.day)
        #expect(list.nextUpdate == Utopia.now + Utopia.day)
        #expect(list.notAfter == Utopia.now + 2 * Utopia.day)
        #expect(list.url == "https://lists.example/vical")
        #expect(try list.extensions?.value(forKey: "c")?.integer() == 3)
        #expect(list.deviations.isEmpty)
        #expect(list.unreadableEntries.isEmpty)
        let info = try #require(list.certificateInfos.first)
        #expect(info.index == 0)
        #expect(info.certificate == iaca)
        #expect(info.docTypes == [.mDL])
        #expect(info.certificateProfiles == ["urn:oid:1.0.18013.5.1.7"])
        #expect(info.issuingAuthority == "Utopia")
        #expect(info.stated.issuingCountry == "UT")
        #expect(info.stated.stateOrProvinceName == "North")
        #expect(info.stated.issuer == Array(iaca.issuer.encodedBytes))
        #expect(info.stated.subject == Array(iaca.subject.encodedBytes))
        #expect(info.stated.notBefore == iaca.notValidBefore)
        #expect(info.stated.notAfter == iaca.notValidAfter)
        #expect(info.stated.serialNumber?.argument == Array(iaca.serialNumber.drop { $0 == 0 }))
        #expect(info.stated.subjectKeyIdentifier == iaca.subjectKeyIdentifier.map { Array($0) })
        #expect(try info.stated.extensions?.value(forKey: "a")?.integer() == 1)
        #expect(info.deviations.isEmpty)
    }

    @Test func onlyTheMandatoryMembers() async throws {
        let list = try await list([entry()], .strict) { payload in
            for key: CBOR in ["vicalIssueID", "nextUpdate", "notAfter"] { payload.set(key, nil) }
        }
        #expect(list.issueID == nil)
        #expect(list.nextUpdate == nil)
        #expect(list.notAfter == nil)
        #expect(list.url == nil)
        #expect(list.extensions == nil)
        #expect(list.certificateInfos.count == 1)
        #expect(try await self.list([]).certificateInfos.isEmpty)
    }

    @Test func theOtherNameOfTheAddress() async throws {
        let list = try await list([entry()], .strict) { $0.set("vicalURI", "https://lists.example/vical") }
        #expect(list.url == "https://lists.example/vical")
    }

    @Test(
        arguments: [
            ("version", nil, .missingMember), ("version", "2.0", .unsupportedVersion), ("version", 1, .unexpectedType),
            ("vicalProvider", nil, .missingMember), ("vicalProvider", 1, .unexpectedType),
            ("vicalIssueID", "7", .unexpectedType), ("vicalIssueID", -1, .invalidValue),
            ("date", nil, .missingMember), ("date", 1_767_225_600, .unexpectedType),
            ("nextUpdate", 1, .unexpectedType), ("notAfter", .tagged(0, "later"), .invalidValue),
            ("certificateInfos", nil, .missingMember), ("certificateInfos", 1, .unexpectedType),
            ("vicalURL", 1, .unexpectedType), ("vicalURI", 1, .unexpectedType), ("extensions", [], .unexpectedType),
        ] as [(CBOR, CBOR?, MdocError.Code)]
    )
    func membersOfTheList(_ key: CBOR, _ value: CBOR?, _ code: MdocError.Code) async throws {
        let error = try await refusal { $0.set(key, value) }
        #expect(error?.code == code)
    }

    /// One faulty entry takes nothing from the others.
    @Test(
        arguments: [
            ("certificate", nil, .missingMember), ("certificate", .bytes([0x30, 0x00]), .malformedCertificate),
            ("certificate", "x", .unexpectedType), ("docType", nil, .missingMember), ("docType", [], .invalidValue),
            ("docType", "org.iso.18013.5.1.mDL", .unexpectedType), ("docType", [1], .unexpectedType),
            ("certificateProfile", [], .invalidValue), ("issuingAuthority", 1, .unexpectedType),
            ("issuingCountry", 1, .unexpectedType), ("stateOrProvinceName", 1, .unexpectedType),
            ("issuer", 1, .unexpectedType), ("subject", "x", .unexpectedType), ("notBefore", 1, .unexpectedType),
            ("notAfter", 1, .unexpectedType), ("extensions", 1, .unexpectedType),
            ("serialNumber", "1", .unexpectedType),
            ("ski", "x", .unexpectedType), ("docType", .array(Array(repeating: "x", count: 65)), .limitExceeded),
            ("certificateProfile", .array(Array(repeating: "x", count: 65)), .limitExceeded),
            ("certificate", .bytes([UInt8](repeating: 0x30, count: 16_385)), .limitExceeded),
        ] as [(CBOR, CBOR?, MdocError.Code)]
    )
    func faultyEntriesArePassedOver(_ key: CBOR, _ value: CBOR?, _ code: MdocError.Code) async throws {
        let list = try await list([entry(), entry { $0.set(key, value) }, 1, entry()])
        #expect(list.certificateInfos.map(\.index) == [0, 3])
        #expect(list.unreadableEntries.map(\.index) == [1, 2])
        #expect(list.unreadableEntries.map(\.error.code) == [code, .unexpectedType])
    }

    /// The deviations of deployed providers, each under its name.
    @Test func deviationsOfEntries() async throws {
        let identifier = try #require(iaca.subjectKeyIdentifier)
        let other = utopia.readerAuthority.certificate
        let changes: [(MdocTolerance, (inout CBOR) -> Void)] = [
            (.memberSpelling, { $0.set("CertificateProfile", ["urn:oid:1.0.18013.5.1.7"]) }),
            (.memberSpelling, { $0.set("Extensions", ["a": 1]) }),
            (.wrappedKeyIdentifier, { $0.set("ski", .bytes([0x04, 0x16, 0x04, 0x14] + identifier)) }),
            (.wrappedKeyIdentifier, { $0.set("ski", .bytes([0x04, 0x14] + identifier)) }),
            (.plainSerialNumber, { $0.set("serialNumber", 0) }),
            (.missingCertificateMember, { $0.set("serialNumber", nil) }),
            (.missingCertificateMember, { $0.set("ski", nil) }),
            (.memberUnlikeCertificate, { $0.set("serialNumber", .tagged(2, .bytes([1, 2]))) }),
            (.memberUnlikeCertificate, { $0.set("ski", .bytes([1, 2, 3])) }),
            (.memberUnlikeCertificate, { $0.set("ski", .bytes([0x04, 0x15] + identifier)) }),
            (.memberUnlikeCertificate, { $0.set("issuer", .bytes(Array(other.issuer.encodedBytes))) }),
            (.memberUnlikeCertificate, { $0.set("subject", .bytes(Array(other.subject.encodedBytes))) }),
            (.memberUnlikeCertificate, { $0.set("notBefore", ListProvider.time(Utopia.now)) }),
            (.memberUnlikeCertificate, { $0.set("notAfter", ListProvider.time(Utopia.now)) }),
            (.fractionalSeconds, { $0.set("notAfter", .tagged(0, "2026-01-01T00:00:00.5Z")) }),
        ]
        for (tolerance, change) in changes {
            let info = try #require(try await list([entry(change)]).certificateInfos.first)
            #expect(info.deviations.map(\.tolerance).contains(tolerance), "\(tolerance)")
            #expect(info.certificate == iaca)
            let strict = try await list([entry(change)], .strict)
            #expect(strict.unreadableEntries.map(\.error.code) == [.deviation], "\(tolerance)")
        }
    }

    @Test func keyIdentifiersAreUnwrapped() async throws {
        let identifier = Array(try #require(iaca.subjectKeyIdentifier))
        let wrapped = entry { $0.set("ski", .bytes([0x04, 0x16, 0x04, 0x14] + identifier)) }
        let info = try await list([wrapped]).certificateInfos.first
        #expect(info?.stated.subjectKeyIdentifier == identifier)
    }

    /// Serial numbers below zero are in use; CBOR has them as tag 3.
    @Test func serialNumbersThatAreNotPositive() async throws {
        var der = iaca.derBytes
        der[iaca.serialNumber.startIndex] = 0xff
        let odd = try Certificate(der: der)
        try #require(odd.encodingDeviations.contains(.nonPositiveSerialNumber))
        let argument = Array(odd.serialNumber.map { ~$0 }.drop { $0 == 0 })
        var entry = ListProvider.entry(odd, ["docType": ["org.iso.18013.5.1.mDL"]])
        entry.set("serialNumber", .tagged(3, .bytes(argument)))
        #expect(try await list([entry], .strict).certificateInfos.first?.certificate == odd)
        entry.set("serialNumber", .tagged(2, .bytes(Array(odd.serialNumber))))
        let other = try await list([entry]).certificateInfos.first
        #expect(other?.deviations.map(\.tolerance) == [.memberUnlikeCertificate])
        var builder = VICALBuilder(provider: "Lists", date: Utopia.now)
        let error = #expect(throws: MdocError.self) { try builder.add(odd, docTypes: [.mDL]) }
        #expect(error?.code == .invalidValue)
    }

    @Test func deviationsOfTheList() async throws {
        let spelt = try await list([entry()]) { $0.set("Extensions", ["a": 1]) }
        #expect(spelt.deviations.map(\.tolerance) == [.memberSpelling])
        #expect(try spelt.extensions?.value(forKey: "a")?.integer() == 1)
        let strict = await #expect(throws: MdocError.self) {
            try await list([entry()], .strict) { $0.set("Extensions", ["a": 1]) }
        }
        #expect(strict?.code == .deviation)
    }

    @Test func taggedEnvelopes() async throws {
        let bytes = try await provider.sign(ListProvider.vical([entry()]))
        let tagged = CBOR.tagged(18, try CBOR(decoding: bytes)).encoded()
        #expect(try VICAL(decoding: tagged, options: .deployed).deviations.map(\.tolerance) == [.taggedCOSE])
        let verification = try VICAL(decoding: tagged, options: .deployed).verify(anchors: [iaca], at: Utopia.now)
        #expect(verification.deviations.map(\.tolerance) == ["taggedCOSE"])
        let error = #expect(throws: MdocError.self) { try VICAL(decoding: tagged, options: .strict) }
        #expect(error?.code == .deviation)
    }

    @Test func envelopesWithoutAList() async throws {
        let bytes = try await provider.sign(ListProvider.vical([entry()]))
        var detached = try CBOR(decoding: bytes)
        detached.change(2) { $0 = .null }
        #expect(throws: MdocError.self) { try VICAL(decoding: detached.encoded()) }
        let other = try await provider.sign(.array([]))
        let error = #expect(throws: MdocError.self) { try VICAL(decoding: other) }
        #expect(error?.code == .unexpectedType)
    }

    @Test func limits() async throws {
        let bytes = try await provider.sign(ListProvider.vical([entry(), entry()]))
        var options = TrustListReadingOptions()
        options.limits.size = bytes.count
        options.limits.entries = 2
        #expect(try VICAL(decoding: bytes, options: options).certificateInfos.count == 2)
        options.limits.entries = 1
        #expect(throws: MdocError.self) { try VICAL(decoding: bytes, options: options) }
        options.limits.entries = 2
        options.limits.size -= 1
        let error = #expect(throws: MdocError.self) { try VICAL(decoding: bytes, options: options) }
        #expect(error?.code == .limitExceeded)
        options = TrustListReadingOptions()
        options.limits.certificateSize = provider.signer.derBytes.count
        #expect(throws: Never.self) { try VICAL(decoding: bytes, options: options) }
        options.limits.certificateSize -= 1
        let chain = #expect(throws: MdocError.self) { try VICAL(decoding: bytes, options: options) }
        #expect(chain?.code == .limitExceeded)
    }
}
