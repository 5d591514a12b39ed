import CBORKit
import COSEKit
import CryptoCore
import VerificationCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuerSignedBuilder {
    /// Refuses content that a reader would refuse later (ISO/IEC 18013-5, 12.3.5).
    func check(_ signerCertificate: Certificate) throws(MdocError) {
        guard !docType.text.isEmpty, !decoys.keys.contains(where: \.text.isEmpty) else {
            throw MdocError(.invalidValue, "the document type or a namespace is empty")
        }
        // Fractions of a second are cut off in writing.
        let times = [validityInfo.signed, validityInfo.validFrom, validityInfo.validUntil]
            .map { $0.timeIntervalSince1970.rounded(.down) }
        guard times[0] <= times[1] else {
            throw MdocError(.invalidValue, "validFrom must not be before the time of signing")
        }
        guard times[1] < times[2] else {
            throw MdocError(.invalidValue, "validFrom must be before validUntil")
        }
        guard signerCertificate.isValid(at: validityInfo.signed) else {
            let text = VerificationTime.text
            let (start, end) = (signerCertificate.notValidBefore, signerCertificate.notValidAfter)
            throw MdocError(
                .invalidValue,
                "the document signer's certificate is valid from \(text(start)) to \(text(end)), "
                    + "and the credential is signed at \(text(validityInfo.signed))"
            )
        }
        guard validityInfo.validUntil <= signerCertificate.notValidAfter else {
            throw MdocError(.invalidValue, "validUntil must not be later than the document signer's certificate allows")
        }
        guard (16...32).contains(randomSize) else {
            throw MdocError(.invalidValue, "an item has 16 to 32 random bytes, not \(randomSize)")
        }
        try checkElements()
    }

    private func checkElements() throws(MdocError) {
        guard let schema else { return }
        guard schema.docType == docType else {
            throw MdocError(.invalidValue, "the rules are those of \(schema.docType), the document is \(docType)")
        }
        let ofKey = keyAuthorizations.map { schema.deviations(of: $0) } ?? []
        let deviations = (schema.deviations(of: elements, isComplete: true) + ofKey).filter {
            !toleratedDeviations.contains($0.kind)
        }
        guard deviations.isEmpty else {
            throw MdocError(.invalidValue, deviations.map(\.description).joined(separator: "; "))
        }
    }

    /// The encoded mobile security object.
    func mobileSecurityObject(
        _ digested: DigestedElements,
        _ binding: DeviceBinding,
        _ validityInfo: [UInt8]
    ) throws(MdocError) -> [UInt8] {
        let deviceKey = try MdocAlgorithms.coseKey(binding.deviceKey)
        let status = binding.status ?? status
        let keyInfo = binding.keyInfo ?? keyInfo
        return CBORWriter.bytes { writer in
            writer.beginMap(count: status == nil ? 6 : 7)
            writer.write(text: "version")
            writer.write(text: MdocVersion.v1_0.description)
            writer.write(text: "digestAlgorithm")
            writer.write(text: digestAlgorithm.text)
            writer.write(text: "valueDigests")
            digested.encodeDigests(to: &writer)
            writer.write(text: "deviceKeyInfo")
            encodeDeviceKeyInfo(deviceKey.encoded(), keyInfo, to: &writer)
            writer.write(text: "docType")
            writer.write(text: docType.text)
            writer.write(text: "validityInfo")
            writer.write(encoded: validityInfo)
            if let status {
                writer.write(text: "status")
                status.encode(to: &writer)
            }
        }
    }

    private func encodeDeviceKeyInfo(
        _ deviceKey: some Collection<UInt8>,
        _ keyInfo: CBORMap?,
        to writer: inout CBORWriter
    ) {
        writer.beginMap(count: 1 + (keyAuthorizations == nil ? 0 : 1) + (keyInfo == nil ? 0 : 1))
        writer.write(text: "deviceKey")
        writer.write(encoded: deviceKey)
        if let keyAuthorizations {
            writer.write(text: "keyAuthorizations")
            keyAuthorizations.encode(to: &writer)
        }
        if let keyInfo {
            writer.write(text: "keyInfo")
            writer.write(.map(keyInfo))
        }
    }
}
