import CBORKit
import CredentialTesting
import CryptoCore
import MdocKit
import MdocTrust
import TestSupport
import Testing

/// Damaged trust lists give a typed error or a value, and never a verdict in their favor.
@Suite(.serialized) struct TrustListBadInputTests {
    private let provider: ListProvider
    private let vical: [UInt8]
    private let rical: [UInt8]

    init() async throws {
        provider = try await ListProvider()
        let utopia = try await Utopia()
        let entries = [utopia.iaca.certificate, utopia.readerAuthority.certificate].map {
            ListProvider.entry($0, ["docType": ["a"], "trustConstraints": [["extensions": ["a": 1]]]])
        }
        vical = try await provider.sign(ListProvider.vical(entries))
        rical = try await provider.sign(ListProvider.rical(entries))
    }

    /// Returns `true` if the list is read and verified.
    private func reads(_ bytes: [UInt8], isRICAL: Bool) -> (isRead: Bool, isVerified: Bool) {
        let anchors = [provider.root.certificate]
        do throws(MdocError) {
            if isRICAL {
                let list = try RICAL(decoding: bytes)
                return (true, list.verify(anchors: anchors, at: Utopia.now).verified != nil)
            }
            let list = try VICAL(decoding: bytes)
            let verified = list.verify(anchors: anchors, at: Utopia.now).verified
            return (true, verified?.trustAnchors.isEmpty == false)
        } catch {
            return (false, false)
        }
    }

    @Test(arguments: [true, false])
    func truncationAtEveryByte(_ isRICAL: Bool) {
        let input = isRICAL ? rical : vical
        #expect(reads(input, isRICAL: isRICAL) == (true, true))
        for length in input.indices {
            #expect(!reads(Array(input[..<length]), isRICAL: isRICAL).isRead, "cut after \(length) bytes")
        }
    }

    /// A change of the envelope's own encoding, or of an unprotected header that is ignored, may leave a list verified;
    /// a change within what is signed may not.
    @Test(arguments: [true, false])
    func mutations(_ isRICAL: Bool) throws {
        let input = isRICAL ? rical : vical
        var mutator = Mutator(seed: isRICAL ? 12_4 : 12_3)
        var counts = (read: 0, verified: 0)
        for _ in 0..<2000 {
            let bytes = mutator.mutate(input)
            let result = reads(bytes, isRICAL: isRICAL)
            if result.isRead { counts.read += 1 }
            guard result.isVerified else { continue }
            counts.verified += 1
            let original = try CBOR(decoding: input)
            #expect(try CBOR(decoding: bytes).untagged.element(2) == original.untagged.element(2))
        }
        print("mutated \(isRICAL ? "RICALs" : "VICALs"): 10000, read \(counts.read), verified \(counts.verified)")
    }

    @Test func refusesACountBeyondTheInput() async throws {
        for count in [0x10001, UInt64.max] {
            var payload = ListProvider.vical([]).encoded()
            let empty = try #require(payload.last)
            try #require(empty == 0x80)
            payload.removeLast()
            payload += [0x9b] + withUnsafeBytes(of: count.bigEndian) { [UInt8]($0) }
            let bytes = try await provider.sign(payload)
            let error = #expect(throws: MdocError.self) { try VICAL(decoding: bytes) }
            #expect(error?.code == .malformedCBOR)
        }
    }
}

extension CBOR {
    fileprivate var untagged: CBOR {
        guard case .tagged(_, let content) = self else { return self }
        return content
    }

    fileprivate func element(_ index: Int) -> CBOR? {
        guard case .array(let elements) = self, elements.indices.contains(index) else { return nil }
        return elements[index]
    }
}
