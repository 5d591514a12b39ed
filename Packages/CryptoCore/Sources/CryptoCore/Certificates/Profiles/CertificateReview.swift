#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Compares one certificate with one profile.
struct CertificateReview {
    let profile: CertificateProfile
    let certificate: Certificate
    let issuer: Certificate?
    private var found: [CertificateDeviation] = []

    init(profile: CertificateProfile, certificate: Certificate, issuer: Certificate?) {
        self.profile = profile
        self.certificate = certificate
        self.issuer = issuer
    }

    mutating func run() -> [CertificateDeviation] {
        reviewVersionAndSerialNumber()
        reviewEncoding()
        reviewValidity()
        reviewSubject()
        reviewIssuer()
        reviewKey()
        reviewSignatureAlgorithm()
        reviewExtensionList()
        reviewUsages()
        reviewBasicConstraints()
        reviewKeyIdentifiers()
        reviewIssuerAlternativeName()
        reviewDistributionPoints()
        return found
    }

    mutating func note(_ kind: CertificateDeviation.Kind, _ message: String, extension id: OID? = nil) {
        found.append(CertificateDeviation(kind, message, extension: id))
    }

    private mutating func reviewVersionAndSerialNumber() {
        if certificate.version != 3 { note(.version, "the version is \(certificate.version) instead of 3") }
        if certificate.encodingDeviations.contains(.nonPositiveSerialNumber) {
            note(.nonPositiveSerialNumber, "the serial number is zero or negative")
        }
        let size = certificate.serialNumber.count
        if size > 20 { note(.longSerialNumber, "the serial number has \(size) octets and may have 20") }
        if size < profile.minimumSerialNumberSize {
            let minimum = profile.minimumSerialNumberSize
            note(.shortSerialNumber, "the serial number has \(size) octets and must have \(minimum)")
        }
    }

    private mutating func reviewEncoding() {
        if certificate.encodingDeviations.contains(.explicitDefault) {
            note(.encoding, "a default value is written out, which DER does not do")
        }
        if certificate.encodingDeviations.contains(.wrongTimeForm) {
            note(.encoding, "a date through 2049 is a GeneralizedTime")
        }
        if certificate.encodingDeviations.contains(.idlePathLength) {
            note(.encoding, "basicConstraints has a pathLenConstraint without cA")
        }
        if certificate.encodingDeviations.contains(.looseBoolean) {
            note(.encoding, "cA is TRUE by an octet other than FF")
        }
    }

    private mutating func reviewValidity() {
        let period = certificate.notValidAfter.timeIntervalSince(certificate.notValidBefore)
        if period < 0 { note(.validityPeriod, "the validity ends before it begins") }
        guard let maximum = profile.maximumValidity, period > maximum else { return }
        let days = Int((period / 86_400).rounded(.up))
        note(.validityPeriod, "the certificate is valid for \(days) days and may be for \(Int(maximum / 86_400))")
    }

    private mutating func reviewKey() {
        let key: PublicKey
        do throws(CryptoError) {
            key = try certificate.publicKey()
        } catch {
            return note(.publicKey, error.description)
        }
        guard let curves = profile.curves else { return }
        guard let curve = key.curve, curves.contains(curve) else {
            return note(.publicKey, "the key is \(key.curve?.name ?? "an RSA key"), which the profile does not allow")
        }
        if curve.family == .weierstrass, certificate.subjectPublicKey.first != 4 {
            note(.publicKey, "the key's point is not uncompressed")
        }
    }

    private mutating func reviewSignatureAlgorithm() {
        guard let algorithm = certificate.signatureAlgorithm else {
            return note(.signatureAlgorithm, "the signature algorithm is not known")
        }
        guard profile.signatureAlgorithms?.contains(algorithm) ?? (algorithm.hash != .sha1) else {
            return note(.signatureAlgorithm, "the signature algorithm \(algorithm) is not allowed")
        }
    }
}
