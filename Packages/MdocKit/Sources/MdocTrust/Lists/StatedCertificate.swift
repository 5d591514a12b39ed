public import CBORKit
import CryptoCore
import MdocKit

#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

/// A trust list entry's statements about its certificate (ISO/IEC 18013-5, C.1.7.1 and F.3.2.2).
///
/// They serve to look certificates up. The certificate itself decides; an entry that differs from it has the deviation
/// `MdocTolerance.memberUnlikeCertificate`.
public struct StatedCertificate: Sendable {
    /// The serial number; nil if it is missing.
    public let serialNumber: CBORBigInteger?
    /// The subject key identifier, without DER around it; nil if it is missing.
    public let subjectKeyIdentifier: [UInt8]?
    /// The country of the authority: a code of ISO 3166-1 or ISO 3166-2.
    public let issuingCountry: String?
    /// The state or province of the authority.
    public let stateOrProvinceName: String?
    /// The issuer's name in DER.
    public let issuer: [UInt8]?
    /// The subject's name in DER.
    public let subject: [UInt8]?
    /// The first moment at which the certificate is valid.
    public let notBefore: Date?
    /// The last moment at which the certificate is valid.
    public let notAfter: Date?
    /// The provider's own members.
    public let extensions: CBORMapView?

    init(_ map: CBORMapView, about certificate: Certificate, _ reading: inout Reading) throws(MdocError) {
        serialNumber = try Self.serialNumber(map, &reading)
        subjectKeyIdentifier = try Self.keyIdentifier(map, certificate, &reading)
        issuingCountry = try reading.optionalText(map, "issuingCountry")
        stateOrProvinceName = try reading.optionalText(map, "stateOrProvinceName")
        issuer = try Self.bytes(map, "issuer")
        subject = try Self.bytes(map, "subject")
        notBefore = try reading.optionalDate(map, "notBefore")
        notAfter = try reading.optionalDate(map, "notAfter")
        extensions = try reading.extensions(map)
        let isLikeCertificate =
            (serialNumber ?? certificate.serialNumberInteger) == certificate.serialNumberInteger
            && issuer?.elementsEqual(certificate.issuer.encodedBytes) != false
            && subject?.elementsEqual(certificate.subject.encodedBytes) != false
            && (notBefore ?? certificate.notValidBefore) == certificate.notValidBefore
            && (notAfter ?? certificate.notValidAfter) == certificate.notValidAfter
        if !isLikeCertificate { try reading.tolerate(.memberUnlikeCertificate, at: map.view) }
    }

    private static func serialNumber(
        _ map: CBORMapView,
        _ reading: inout Reading
    ) throws(MdocError) -> CBORBigInteger? {
        guard let view = map.value(forKey: "serialNumber") else {
            try reading.tolerate(.missingCertificateMember, at: map.view)
            return nil
        }
        let number = try cbor(view.bigInteger())
        if view.tag == nil { try reading.tolerate(.plainSerialNumber, at: view) }
        return number
    }

    private static func keyIdentifier(
        _ map: CBORMapView,
        _ certificate: Certificate,
        _ reading: inout Reading
    ) throws(MdocError) -> [UInt8]? {
        guard let view = map.value(forKey: "ski") else {
            try reading.tolerate(.missingCertificateMember, at: map.view)
            return nil
        }
        let stated = try cbor(view.bytes())
        // A certificate without the extension is listed with an identifier that the provider computed.
        let wanted = certificate.subjectKeyIdentifier ?? certificate.computedKeyIdentifier[...]
        if stated == wanted { return Array(stated) }
        var inner = stated
        while let content = Self.octetString(inner) {
            inner = content
            guard inner == wanted else { continue }
            try reading.tolerate(.wrappedKeyIdentifier, at: view)
            return Array(inner)
        }
        try reading.tolerate(.memberUnlikeCertificate, at: view)
        return Array(stated)
    }

    /// The content of a short DER OCTET STRING; nil for other bytes.
    private static func octetString(_ der: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard der.count >= 2, der.first == 0x04, der.dropFirst().first.map(Int.init) == der.count - 2,
            der.count < 0x82
        else { return nil }
        return der.dropFirst(2)
    }

    private static func bytes(_ map: CBORMapView, _ name: String) throws(MdocError) -> [UInt8]? {
        guard let view = map.value(forKey: name) else { return nil }
        return Array(try cbor(view.bytes()))
    }
}

extension Certificate {
    /// The serial number as CBOR has large integers.
    var serialNumberInteger: CBORBigInteger {
        guard let first = serialNumber.first, first & 0x80 != 0 else {
            return CBORBigInteger(isNegative: false, argument: serialNumber)
        }
        return CBORBigInteger(isNegative: true, argument: serialNumber.map { ~$0 })
    }
}
