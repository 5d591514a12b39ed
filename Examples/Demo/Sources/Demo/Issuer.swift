import Credentials
import Foundation

/// An issuing authority with a document signer.
struct Issuer {
    /// The authority's root certificate: what a reader trusts.
    let iaca: Certificate
    private let documentSigner: Certificate
    private let signer: SoftwareSigner

    /// Makes keys and certificates that are valid from a day ago.
    static func make(now: Date) async throws -> Issuer {
        let day: TimeInterval = 86_400
        let authority = try await CertificateAuthority.iaca(
            subject: try DistinguishedName(countryName: "UT", commonName: "Utopia IACA"),
            contact: .uri("https://dmv.example"),
            signer: SoftwareSigner(.generate(.p384)),
            validity: now - day...now + 365 * day
        )
        let signer = try SoftwareSigner(.generate(.p256))
        let documentSigner = try await authority.issueDocumentSigner(
            commonName: "Utopia document signer",
            publicKey: signer.publicKey,
            validity: now - day...now + 90 * day,
            revocationListURI: "https://dmv.example/crl"
        )
        return Issuer(iaca: authority.certificate, documentSigner: documentSigner, signer: signer)
    }

    /// Issues a driving licence that is bound to a device key.
    func issueLicence(to deviceKey: PublicKey, now: Date) async throws -> IssuerSigned {
        let validity = ValidityInfo(signed: now, validFrom: now, validUntil: now + 30 * 86_400)
        var builder = IssuerSignedBuilder(docType: .mDL, deviceKey: deviceKey, validityInfo: validity)
        for (identifier, value) in try Self.licence() { try builder.add(value, as: identifier, in: .mDL) }
        return try await builder.sign(with: signer, x5chain: [documentSigner])
    }

    private static func fullDate(_ text: String) throws -> CBOR {
        guard let date = CBORDate(text), let value = CBOR.fullDate(date) else { throw CocoaError(.formatting) }
        return value
    }

    private static func licence() throws -> KeyValuePairs<DataElementIdentifier, CBOR> {
        let category: CBOR = [
            "vehicle_category_code": "B", "issue_date": try fullDate("2019-05-04"),
        ]
        return [
            "family_name": "Bergström",
            "given_name": "Åsa",
            "birth_date": try fullDate("1990-02-28"),
            "issue_date": try fullDate("2024-05-04"),
            "expiry_date": try fullDate("2034-05-04"),
            "issuing_country": "UT",
            "issuing_authority": "Utopia DMV",
            "document_number": "UT-4711",
            "portrait": .bytes([UInt8](repeating: 0xd8, count: 4096)),
            "driving_privileges": [category],
            "un_distinguishing_sign": "UTO",
            "age_over_18": true,
        ]
    }
}
