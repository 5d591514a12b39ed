package import JSONKit

extension CredentialFormat {
    /// The members of a credential of the format that say something about the credential and nothing about the holder.
    ///
    /// Of an SD-JWT VC these are the registered claims (SD-JWT VC, registered JWT claims) without `sub`, of a W3C credential the
    /// properties of the data models beside the subject. An mdoc has none among its elements.
    private var technicalClaims: Set<String> {
        switch credential {
        case .sdJWT:
            [
                "iss", "nbf", "exp", "iat", "jti", "aud", "cnf", "vct", "vct#integrity", "vctm", "aka_vcts", "status",
            ]
        case .linkedData, .jwt:
            [
                "@context", "id", "type", "issuer", "issuanceDate", "expirationDate", "validFrom", "validUntil",
                "credentialStatus", "credentialSchema", "proof", "refreshService", "termsOfUse", "relatedResource",
            ]
        default: []
        }
    }

    /// Divides the claims of a credential of the format into those about the holder, and those about the credential itself.
    package func divide(_ claims: JSONObject) -> (own: JSONObject, technical: JSONObject) {
        let names = technicalClaims
        return (
            JSONObject(claims.filter { !names.contains($0.name) }),
            JSONObject(claims.filter { names.contains($0.name) })
        )
    }
}
