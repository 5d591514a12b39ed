#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension CertificateFields {
    private typealias Tag = DERReader.Tag

    /// Reads a whole certificate (RFC 5280, 4.1).
    init(_ bytes: [UInt8], limits: CertificateLimits) throws(CryptoError) {
        guard bytes.count <= limits.maximumSize else {
            throw CryptoError(
                .limitExceeded,
                "the certificate has \(bytes.count) bytes and may have \(limits.maximumSize)",
                path: ["Certificate"]
            )
        }
        do throws(CryptoError) {
            var outer = DERReader(bytes)
            var certificate = try outer.enter(Tag.sequence, "Certificate")
            try outer.finish()
            let tbsCertificate = try certificate.next(Tag.sequence, "tbsCertificate")
            let algorithm = try certificate.next(Tag.sequence, "signatureAlgorithm")
            let signature = try certificate.readBitString()
            try certificate.finish()
            try self.init(tbsCertificate, in: bytes, algorithm: algorithm.range, signature: signature.indices, limits)
        } catch {
            throw error.inside("Certificate")
        }
    }

    private init(
        _ tbsCertificate: DERElement,
        in bytes: [UInt8],
        algorithm: Range<Int>,
        signature: Range<Int>,
        _ limits: CertificateLimits
    ) throws(CryptoError) {
        var reader = tbsCertificate.reader
        var deviations: CertificateEncodingDeviations = []
        let version = try Self.version(&reader)
        serialNumber = try Self.serialNumber(&reader, &deviations)
        let innerAlgorithm = try reader.next(Tag.sequence, "signature")
        guard bytes[innerAlgorithm.range] == bytes[algorithm] else {
            throw innerAlgorithm.error("signature and signatureAlgorithm differ")
        }
        issuer = try Self.name(&reader, "issuer")
        (notValidBefore, notValidAfter) = try Self.validity(&reader, &deviations)
        subject = try Self.name(&reader, "subject")
        (subjectPublicKeyInfo, subjectPublicKey) = try Self.publicKeyInfo(&reader)
        try Self.skipUniqueIdentifiers(&reader, version: version)
        extensions = try Self.extensions(&reader, version: version, limits, &deviations)
        try reader.finish()
        known = try KnownExtensions(extensions, in: bytes)
        deviations.formUnion(known.basicConstraints?.deviations ?? [])
        self.version = version
        self.tbsCertificate = tbsCertificate.range
        self.signatureAlgorithm = algorithm
        self.signature = signature
        self.deviations = deviations
    }

    private static func version(_ reader: inout DERReader) throws(CryptoError) -> Int {
        guard let tagged = try reader.nextIfPresent(Tag.context(0)) else { return 1 }
        var inner = tagged.reader
        let number = try inner.next(Tag.integer, "version").smallNumber("version")
        try inner.finish()
        // v1 is the default, which DER does not write; there is nothing after v3.
        guard number == 1 || number == 2 else { throw tagged.error("there is no version with the number \(number)") }
        return number + 1
    }

    private static func serialNumber(
        _ reader: inout DERReader,
        _ deviations: inout CertificateEncodingDeviations
    ) throws(CryptoError) -> Range<Int> {
        let number = try reader.next(Tag.integer, "serialNumber").integer("serialNumber")
        let isNegative = number.first.map { $0 & 0x80 != 0 } ?? false
        if isNegative || number.elementsEqual([0]) { deviations.insert(.nonPositiveSerialNumber) }
        if number.count > 20 { deviations.insert(.longSerialNumber) }
        return number.indices
    }

    private static func name(_ reader: inout DERReader, _ name: StaticString) throws(CryptoError) -> Range<Int> {
        let element = try reader.next(Tag.sequence, name)
        do throws(CryptoError) {
            try DistinguishedName.check(element)
        } catch {
            throw error.inside("\(name)")
        }
        return element.range
    }

    private static func validity(
        _ reader: inout DERReader,
        _ deviations: inout CertificateEncodingDeviations
    ) throws(CryptoError) -> (Date, Date) {
        var validity = try reader.enter(Tag.sequence, "validity")
        let notBefore = try validity.next("notBefore").time("notBefore")
        let notAfter = try validity.next("notAfter").time("notAfter")
        try validity.finish()
        if !notBefore.isInDemandedForm || !notAfter.isInDemandedForm { deviations.insert(.wrongTimeForm) }
        return (notBefore.date, notAfter.date)
    }

    private static func publicKeyInfo(_ reader: inout DERReader) throws(CryptoError) -> (Range<Int>, Range<Int>) {
        let element = try reader.next(Tag.sequence, "subjectPublicKeyInfo")
        var info = element.reader
        _ = try info.next(Tag.sequence, "subjectPublicKeyInfo.algorithm")
        let key = try info.readBitString()
        try info.finish()
        return (element.range, key.indices)
    }

    private static func skipUniqueIdentifiers(_ reader: inout DERReader, version: Int) throws(CryptoError) {
        for number in [UInt8(1), 2] {
            guard let identifier = try reader.nextIfPresent(Tag.primitiveContext(number)) else { continue }
            _ = try identifier.bits("uniqueID")
            guard version >= 2 else { throw identifier.error("a certificate of version 1 has no unique identifiers") }
        }
    }
}
