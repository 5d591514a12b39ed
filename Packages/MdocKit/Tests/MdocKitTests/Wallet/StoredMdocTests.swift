import CBORKit
import CryptoCore
import Foundation
import MdocKit
import TestSupport
import Testing

/// A credential leaves the process in one form and comes back as it was.
@Suite struct StoredMdocTests {
    private func stored(_ usage: DeviceKeyUsage = .signature) async throws -> StoredMdoc {
        let utopia = try await Utopia()
        return StoredMdoc(id: "a/\u{e9}", issuerSigned: try await utopia.licence(), deviceKeyUsage: usage)
    }

    @Test(arguments: [DeviceKeyUsage.signature, .mac])
    func comesBackAsItWas(usage: DeviceKeyUsage) async throws {
        let credential = try await stored(usage)
        let encoded = credential.encoded()
        for again in [
            try StoredMdoc(decoding: encoded), try StoredMdoc(decoding: Data(encoded)),
            try StoredMdoc(decoding: ([0] + encoded).dropFirst()),
        ] {
            #expect(again.id == credential.id)
            #expect(again.issuerSigned.encodedBytes == credential.issuerSigned.encodedBytes)
            #expect(again.deviceKeyUsage == usage)
            #expect(again.encoded() == encoded)
        }
    }

    @Test(
        arguments: [
            ([], .missingMember), ([1], .missingMember), ([2, "a", .bytes([]), 0], .unsupportedVersion),
            ([1, "a", .bytes([]), 2], .invalidValue), ([1, .bytes([]), .bytes([]), 0], .unexpectedType),
            ([1, "a", .bytes([]), 0], .malformedCBOR), ([1, "a", .bytes([0xa0]), 0], .missingMember),
        ] as [(CBOR, MdocError.Code)]
    )
    func refusesOtherContents(content: CBOR, code: MdocError.Code) {
        let error = #expect(throws: MdocError.self) { try StoredMdoc(decoding: content.encoded()) }
        #expect(error?.code == code, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func isReadWithTheOptionsOfItsImport() async throws {
        let utopia = try await Utopia()
        for form in ToleratedForm.credentials {
            let issuerSigned = try IssuerSigned(decoding: await form.make(utopia), options: form.options)
            let encoded = StoredMdoc(id: "a", issuerSigned: issuerSigned).encoded()
            let error = #expect(throws: MdocError.self) { try StoredMdoc(decoding: encoded) }
            #expect(error?.message == form.refusal)
            let again = try StoredMdoc(decoding: encoded, options: form.options)
            #expect(again.issuerSigned.deviations == issuerSigned.deviations)
        }
    }

    @Test func theLimitForMessagesIsThatOfTheCredentialInside() async throws {
        let credential = try await stored()
        var options = MdocReadingOptions.strict
        options.limits.messageSize = credential.issuerSigned.encodedBytes.count
        #expect(throws: Never.self) { try StoredMdoc(decoding: credential.encoded(), options: options) }
        options.limits.messageSize -= 1
        let error = #expect(throws: MdocError.self) {
            try StoredMdoc(decoding: credential.encoded(), options: options)
        }
        #expect(error?.code == .limitExceeded)
    }

    @Test func damagedBytesAreReadOrRefused() async throws {
        let encoded = try await stored().encoded()
        var mutator = Mutator(seed: 21)
        for _ in 0..<2000 {
            guard let again = try? StoredMdoc(decoding: mutator.mutate(encoded), options: .deployed) else {
                continue
            }
            #expect(again.encoded().count <= encoded.count + 64)
        }
    }
}
