import CBORKit
import COSEKit
import CryptoCore
import MdocKit
import MdocProximity

extension SessionKnowledge {
    /// The first two members of a proximity transcript: engagement and reader's key.
    struct Members {
        var engagement: [UInt8]?
        var readerKey: [UInt8]?
    }

    /// The members where both are known.
    var proximityMembers: [Variant<Members>] {
        guard let deviceEngagementBytes, let eReaderKeyBytes else { return [] }
        var readerKeys = Self.taggings(eReaderKeyBytes, twice: .readerKeyTaggedTwice, bare: .readerKeyUntagged)
        if let encryptionParametersBytes {
            readerKeys.append(Variant(Self.tagged(encryptionParametersBytes), .encryptionParameters))
        }
        return Self.engagements(deviceEngagementBytes).paired(with: readerKeys).map { pair in
            pair.map { Members(engagement: $0.0, readerKey: $0.1) }
        }
    }

    /// The members where there is neither engagement nor reader's key.
    var absentMembers: [Variant<Members>] {
        let absent = Variant(Members())
        guard let encryptionParametersBytes else { return [absent] }
        let parameters = Self.tagged(encryptionParametersBytes)
        return [absent, Variant(Members(readerKey: parameters), .encryptionParameters)]
    }

    /// The ephemeral key of the device, if the engagement can be read.
    var engagementsKey: PublicKey? {
        guard let deviceEngagementBytes, let content = Self.content(of: Self.tagged(deviceEngagementBytes)) else {
            return nil
        }
        return try? DeviceEngagement(decoding: [UInt8](content), options: .deployed).eDeviceKey.publicKey()
    }

    private static func engagements(_ bytes: [UInt8]) -> [Variant<[UInt8]>] {
        taggings(bytes, twice: .engagementTaggedTwice, bare: .engagementUntagged) + reencodings(of: bytes)
    }

    /// An item in tag 24, in tag 24 twice, and without, where it is an item at all.
    static func taggings(
        _ bytes: [UInt8],
        twice: SessionVariation,
        bare: SessionVariation
    ) -> [Variant<[UInt8]>] {
        let tagged = tagged(bytes)
        var variants = [Variant(tagged), Variant(CBORWriter.embedding(tagged), twice)]
        if let content = content(of: tagged), (try? CBORDocument(content)) != nil {
            variants.append(Variant([UInt8](content), bare))
        }
        return variants
    }

    /// The engagement as decoders write it that keep all members, or only those of the first edition.
    private static func reencodings(of bytes: [UInt8]) -> [Variant<[UInt8]>] {
        guard let content = content(of: tagged(bytes)), let value = try? CBOR(decoding: [UInt8](content)),
            case .map(let map) = value
        else { return [] }
        let known = CBOR.map(CBORMap(map.pairs.filter { pair in pair.key.integerValue.map { $0 <= 4 } ?? false }))
        return [value, known].map { value in
            Variant(CBORWriter.embedding(value.encoded(.deterministic)), .engagementReencoded)
        }
    }

    /// The item in tag 24, whether it was in it or not.
    static func tagged(_ bytes: [UInt8]) -> [UInt8] {
        content(of: bytes) == nil ? CBORWriter.embedding(bytes) : bytes
    }

    /// The content of a tag-24 item; nil for anything else.
    static func content(of bytes: [UInt8]) -> ArraySlice<UInt8>? {
        try? CBORDocument(bytes).root.content(ofTag: CBORTag.encodedItem).bytes()
    }
}
