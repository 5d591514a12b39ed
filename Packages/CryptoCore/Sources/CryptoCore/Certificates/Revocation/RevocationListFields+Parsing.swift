#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension RevocationListFields {
    private typealias Tag = DERReader.Tag

    /// Reads a whole list (RFC 5280, 5.1).
    init(_ bytes: [UInt8], maximumSize: Int) throws(CryptoError) {
        guard bytes.count <= maximumSize else {
            let message = "the list has \(bytes.count) bytes and may have \(maximumSize)"
            throw CryptoError(.limitExceeded, message, path: ["CertificateList"])
        }
        do throws(CryptoError) {
            var outer = DERReader(bytes)
            var list = try outer.enter(Tag.sequence, "CertificateList")
            try outer.finish()
            let tbsCertList = try list.next(Tag.sequence, "tbsCertList")
            let algorithm = try list.next(Tag.sequence, "signatureAlgorithm")
            let signature = try list.readBitString()
            try list.finish()
            try self.init(tbsCertList, in: bytes, algorithm: algorithm.range, signature: signature.indices)
        } catch {
            throw error.inside("CertificateList")
        }
    }

    private init(
        _ tbsCertList: DERElement,
        in bytes: [UInt8],
        algorithm: Range<Int>,
        signature: Range<Int>
    ) throws(CryptoError) {
        var reader = tbsCertList.reader
        version = try Self.version(&reader)
        let innerAlgorithm = try reader.next(Tag.sequence, "signature")
        guard bytes[innerAlgorithm.range] == bytes[algorithm] else {
            throw innerAlgorithm.error("signature and signatureAlgorithm differ")
        }
        let issuer = try reader.next(Tag.sequence, "issuer")
        try DistinguishedName.check(issuer)
        thisUpdate = try reader.next("thisUpdate").time("thisUpdate").date
        nextUpdate = try Self.nextUpdate(&reader)
        let listed = try reader.nextIfPresent(Tag.sequence)
        var list = EntryList()
        if var contents = listed?.reader {
            while !contents.isAtEnd {
                try list.read(contents.enter(Tag.sequence, "revokedCertificate"), in: bytes, version: version)
            }
        }
        list.sort(in: bytes)
        extensions = try Self.extensions(&reader, version: version)
        try reader.finish()
        entries = list.entries
        hasEmptyEntryList = listed != nil && list.entries.isEmpty
        hasEntryExtensions = list.hasExtensions
        unknownCriticalEntryExtension = list.unknownCriticalExtension
        self.issuer = issuer.range
        self.tbsCertList = tbsCertList.range
        self.signatureAlgorithm = algorithm
        self.signature = signature
    }

    private static func version(_ reader: inout DERReader) throws(CryptoError) -> Int {
        guard let element = try reader.nextIfPresent(Tag.integer) else { return 1 }
        guard try element.smallNumber("version") == 1 else { throw element.error("the version is not 2") }
        return 2
    }

    private static func nextUpdate(_ reader: inout DERReader) throws(CryptoError) -> Date? {
        guard reader.nextTag == Tag.utcTime || reader.nextTag == Tag.generalizedTime else { return nil }
        return try reader.next("nextUpdate").time("nextUpdate").date
    }

    /// The entries as they are read, and the facts about all of them.
    private struct EntryList {
        var entries: [Entry] = []
        var hasExtensions = false
        var unknownCriticalExtension: OID?

        mutating func read(_ contents: DERReader, in bytes: [UInt8], version: Int) throws(CryptoError) {
            var members = contents
            let serialNumber = try members.next(Tag.integer, "userCertificate").integer("userCertificate")
            let date = try members.next("revocationDate").time("revocationDate").date
            var extensions = CRLEntryExtensions()
            if let element = try members.nextIfPresent(Tag.sequence) {
                guard version == 2 else { throw element.error("only lists of version 2 have extensions") }
                extensions = try CRLEntryExtensions(element.reader, in: bytes)
                hasExtensions = true
                unknownCriticalExtension = unknownCriticalExtension ?? extensions.unknownCriticalExtension
            }
            try members.finish()
            entries.append(
                Entry(
                    serialNumber: serialNumber.indices,
                    revocationDate: date,
                    reason: extensions.reason,
                    invalidityDate: extensions.invalidityDate
                )
            )
        }

        mutating func sort(in bytes: [UInt8]) {
            entries.sort { SerialNumberOrder.precedes(bytes[$0.serialNumber], bytes[$1.serialNumber]) }
        }
    }

    private static func extensions(_ reader: inout DERReader, version: Int) throws(CryptoError) -> [ExtensionEntry] {
        guard let tagged = try reader.nextIfPresent(Tag.context(0)) else { return [] }
        guard version == 2 else { throw tagged.error("only lists of version 2 have extensions") }
        var outer = tagged.reader
        let list = try outer.enter(Tag.sequence, "crlExtensions")
        try outer.finish()
        return try ExtensionEntry.list(list, maximumCount: CertificateLimits.default.maximumExtensionCount)
    }
}
