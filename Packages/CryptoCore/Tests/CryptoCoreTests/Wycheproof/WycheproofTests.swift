import TestSupport
import Testing

/// Every file of the Wycheproof project that is there, each by the runner for its schema.
@Suite(.enabled(if: VectorSet("wycheproof").isAvailable, VectorSet.absence))
struct WycheproofTests {
    @Test(arguments: VectorSet("wycheproof").files(withExtension: "json"))
    func file(_ file: VectorFile) throws {
        let header = try file.decode(WycheproofHeader.self)
        let tally = try Self.tally(file, header)
        tally.report(file)
        #expect(tally.accepted + tally.refused + tally.passedOver.values.reduce(0, +) == header.numberOfTests)
    }

    private static func tally(_ file: VectorFile, _ header: WycheproofHeader) throws -> WycheproofTally {
        guard let runner = runners[header.schema] else {
            let reason = elsewhere[header.schema] ?? "no runner for \(header.schema)"
            return WycheproofTally(passingOver: header, because: reason)
        }
        do {
            return try runner(file, header)
        } catch let error as UnknownAlgorithm {
            return WycheproofTally(passingOver: header, because: error.reason)
        }
    }

    private typealias Runner = @Sendable (VectorFile, WycheproofHeader) throws -> WycheproofTally

    /// Schemas whose subject is no part of this layer, with the reason.
    private static let elsewhere = [
        "json_web_crypto_schema_v1.json": "JSON Web Keys and tokens are the JOSE layer's",
        "json_web_encryption_schema_v1.json": "JSON Web Encryption is the JOSE layer's",
        "json_web_key_schema_v1.json": "JSON Web Keys are the JOSE layer's",
        "json_web_signature_schema_v1.json": "JSON Web Signatures are the JOSE layer's",
        "primality_test_schema_v1.json": "this layer offers no test of primes",
    ]

    private static let runners: [String: Runner] = [
        "aead_test_schema_v1.json": WycheproofAEAD.run,
        "hkdf_test_schema_v1.json": WycheproofHKDF.run,
        "keywrap_test_schema_v1.json": WycheproofKeyWrap.run,
        "mac_test_schema_v1.json": WycheproofMAC.run,
        "pbkdf_test_schema.json": WycheproofPBKDF2.run,
        "rsaes_oaep_decrypt_schema_v1.json": WycheproofRSAOAEP.run,
        "rsaes_pkcs1_decrypt_schema_v1.json": WycheproofRSAPKCS1.run,
        "ind_cpa_test_schema_v1.json": WycheproofAESCBC.run,
        "ecdsa_verify_schema_v1.json": WycheproofECDSA.runDER,
        "ecdsa_p1363_verify_schema_v1.json": WycheproofECDSA.runRaw,
        "ec_curve_test_schema.json": WycheproofCurves.run,
        "eddsa_verify_schema_v1.json": WycheproofEdDSA.run,
        "ecdh_test_schema_v1.json": WycheproofKeyAgreement.runECDH,
        "ecdh_ecpoint_test_schema_v1.json": WycheproofKeyAgreement.runECPoint,
        "ecdh_webcrypto_test_schema_v1.json": WycheproofKeyAgreement.runJWK,
        "xdh_comp_schema_v1.json": WycheproofKeyAgreement.runXDH,
        "xdh_jwk_comp_schema_v1.json": WycheproofKeyAgreement.runJWK,
        "rsassa_pkcs1_verify_schema_v1.json": WycheproofRSASignatures.runPKCS1,
        "rsassa_pkcs1_generate_schema_v1.json": WycheproofRSASignatures.runPKCS1Generation,
        "rsassa_pss_verify_schema_v1.json": WycheproofRSASignatures.runPSS,
    ]
}
