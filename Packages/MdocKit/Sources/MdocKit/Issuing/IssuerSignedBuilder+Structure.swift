import CBORKit
import COSEKit
import CryptoCore

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension IssuerSignedBuilder {
    /// Refuses what a reader would refuse later (ISO/IEC 18013-5, 12.3.5).
    func check(_ signerCertificate: Certificate) throws(MdocError) {
        guard validityInfo.validFrom < validityInfo.validUntil else {
            throw MdocError(.invalidValue, "validFrom must be before validUntil")
        }
        guard signerCertificate.isValid(at: validityInfo.signed) else {
            throw MdocError(.invalidValue, "the document signer's certificate is not valid at the time of signing")
        }
        guard validityInfo.validUntil <= signerCertificate.notValidAfter else {
            throw MdocError(.invalidValue, "validUntil must not be later than the document signer's certificate allows")
        }
        guard let curve = deviceKey.curve, MdocAlgorithms.allowsDeviceKey(on: curve) else {
            throw MdocError(.unsupportedKey, "the device key is on no curve of the standard")
        }
        guard randomSize >= 16 else {
            throw MdocError(.invalidValue, "\(randomSize) random bytes are fewer than the 16 of the standard")
        }
    }

    /// The encoded mobile security object.
    func mobileSecurityObject(_ digested: DigestedElements) throws(MdocError) -> [UInt8] {
        let deviceKey = try MdocAlgorithms.coseKey(deviceKey)
        let validityInfo = try validityInfo.encoded()
        return CBORWriter.bytes { writer in
            writer.beginMap(count: status == nil ? 6 : 7)
            writer.write(text: "version")
            writer.write(text: MdocVersion.v1_0.description)
            writer.write(text: "digestAlgorithm")
            writer.write(text: digestAlgorithm.text)
            writer.write(text: "valueDigests")
            digested.encodeDigests(to: &writer)
            writer.write(text: "deviceKeyInfo")
            encodeDeviceKeyInfo(deviceKey.encoded(), to: &writer)
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

    private func encodeDeviceKeyInfo(_ deviceKey: some Collection<UInt8>, to writer: inout CBORWriter) {
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
