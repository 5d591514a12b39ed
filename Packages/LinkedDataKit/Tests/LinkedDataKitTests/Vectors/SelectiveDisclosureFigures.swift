import JSONKit
import Testing

/// The examples of Data Integrity ECDSA Cryptosuites 1.0, sections A.7 and A.8.
struct SelectiveDisclosureFigures: Sendable, CustomTestStringConvertible {
    let testDescription: String
    /// The credential, as its signed statements have it.
    let document: JSONObject
    /// The digest of the options of the proof.
    let proofHash: String
    /// The digest of the mandatory statements.
    let mandatoryHash: String
    /// The SHA-256 of all statements with the labels of the proof, in the order in which they are printed.
    let statementsDigest: String
    /// The value of the base proof.
    let base: String
    /// The part of the document that is disclosed.
    let disclosed: JSONObject
    /// The value of the derived proof.
    let derived: String

    static let all = [employment, residence]

    /// A picture of one pixel.
    private static func image(_ pixel: String) -> JSONValue {
        let head = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVQIW2"
        return .string(head + pixel + "AAAABJRU5ErkJggg==")
    }

    /// Section A.7.
    private static let employment = SelectiveDisclosureFigures(
        testDescription: "A.7",
        document: [
            "@context": ["https://www.w3.org/ns/credentials/v2", "https://w3id.org/citizenship/v4rc1"],
            "type": ["VerifiableCredential", "EmploymentAuthorizationDocumentCredential"],
            "issuer": [
                "id": "did:key:zDnaegE6RR3atJtHKwTRTWHsJ3kNHqFwv7n9YjTgmU7TyfU76",
                "image": image("NgUPr/HwADaAIhG61j/A"),
            ],
            "credentialSubject": [
                "type": ["Person", "EmployablePerson"],
                "givenName": "JOHN",
                "additionalName": "JACOB",
                "familyName": "SMITH",
                "image": image("Ng+M/wHwAEAQH/7yMK/g"),
                "gender": "Male",
                "residentSince": "2015-01-01",
                "birthCountry": "Bahamas",
                "birthDate": "1999-07-17",
                "employmentAuthorizationDocument": [
                    "type": "EmploymentAuthorizationDocument",
                    "identifier": "83627465",
                    "lprCategory": "C09",
                    "lprNumber": "999-999-999",
                ],
            ],
            "name": "Employment Authorization Document",
            "description": "Example Employment Authorization Document.",
            "validFrom": "2019-12-03T00:00:00Z",
            "validUntil": "2029-12-03T00:00:00Z",
        ],
        proofHash: "9c5c9b189f06cfa9d9f21a838ccb9b04316f07ad1a517bfd4955ee28c6a8229c",
        mandatoryHash: "a042dc047c236816f49fbe5282a79c5e77abe111e47f4c20203b5064c7f0f059",
        statementsDigest: "87f18c5806f51c8471e326686e936cce0408fde6571877be37950aa61f623ffe",
        base: "u2V0AhVhAuNxVr-tkJ6mQ6dYMDTY7ZUMG2ScD5QNiEMopYZ2O0gQZS6PYbjHNvJn07p1fJfDMHB9E9fo5q-yaUM31GbRX4FgjgCQCKnL"
            + "OGbY_FuM-ASpSkkOxsIR2E8n7Ml2q1UQ6tEwzi5NYIAARIjNEVWZ3iJmqu8zd7v8AESIzRFVmd4iZqrvM3e7_lFhA_ZHsSLNSSWX3oUU"
            + "-n_oGcFTspvfWM4qEUl6zKIuwyvepZR8C_uFNbTPuFnmqiCg0jMxXThlNf1f8qL41TBsw91hAyS5upfZTQ8cErJRQ2k1V-HNCgpubrXr"
            + "6zoMAoIebyZcuxIee67qv_ZrZ4_kdKRlxyP_l12hJfWL6JyVqfgO_mVhAXZj32ACuKqYpJ6ZeA0WlrgLfBByc0m3hUlpjQxuTYMJCFnN"
            + "9I3TQeJ1OQKzdC_dbB3wGU0ptJYCErYvrFJmA1lhAyNcO3meGSzIZ3LPDgxQBygaaxfjbnicU1fV_Nnx2Mg0eCp-kkXVRrdgRpBXhm8w"
            + "ywBfvW6Augf7WcscnESMLEFhAOmJjWQq3-8Tl73vGw_a5zdipbHxNmh8SBhIhPKOaUPOde1bWNl6tYFS9vkuXGydp1hhBo_cjanQ05fG"
            + "w9uLo_FhA9fH-KZCvWTYczUhjNZQFFkzmoIB9_t0tGXKCbmt57gUd8W9d_EPVftDVd0O5TE9X3VeE-7BKm_K2tyWPXFlVJFhARLaDMNG"
            + "xLO7GwH7VYFh7a_1JyDH6kMGoclpBo-MkfylQvP5RoLJr9CLpT4EQAdwXsbk7P4JCNFesxcGfIU2l4VhAwpdEub-2iiUOsXqvSUFqine"
            + "l7tAb4YwyeKN4Tbj2cxvaPalWhVvCfzvJHj-DMTceEAci_CI77LRwcqRbdlO-CFhAK2bSlvLQn_KA1M3sHQK2w4Bl7TbJm220CpqAD0-"
            + "upGGHx7QsbLIytRA7yIRF9eHzLIlpIHFUbzFqg2zTGpefjVhAAW_fJBia3vp3PCatLgSCrr90p7uNWhQnI9Q9GK3AScQI-q_c74uxHNy"
            + "cco2PdGrjLgMZd2e7Gqkf1hqPxJk6vlhA5-5CCqAnukZxuSbCnixXT5RGFmCgs9bIKMzlAxTZ4eTDRu0Rk1Kt9hQcZuL85KLLdIbD-Bz"
            + "ELjiKX5IShWd9lFhA_1FuHFme8jd5zdWmrjSn2xodJEUU0yMIqAl1LmwtES5ae0czYMC4yvJ5SaoWHRCHbRnHe1DnYWBzbx6kz976olh"
            + "AyFNzACx3-yXniAwbLfLi-mwl3s9WOwqIMy5GVHc7CLkoa2Xv_gD4aJ3wPfbi381Fde_yOgjJK9Ng4oXCK_orXVhACekfid_QolL3mpc"
            + "MrsVYFM1XCo5B7CrCXDO9iv5HmnC450TTY7x9qjE2JdDLTB6oxkyHV3g16bdBa0YVu4Le-VhAsYGYbvLPt3tx8nz7Q2W4hgeZ2ehMPfY"
            + "rOGMxklDVepHUKcsVEnEiw2_TSpLqB0W0pkFFTFYcVcN3Qe4keoZiZFhAE9AqnK8Nlrn77Dl9T6rZDnjFbQy9kzIk1YtcgWI-NXGyKqF"
            + "bxK0gHDZONWZ5PJ3anJg-mWX0fHzl_24bQkhN1FhAkcyVJLSqNG_G5AnpSyi4qYkUka5ifkfmDwzTbZADTrl6hZX8s1oH0_ql_CE-dZs"
            + "L6gPLgsWKNxHJ3imbfneQS1hAItlRwgLNLb-Spf0gSD9hgXfxbAiqeY_W6KBjH7ptBZ4wTB7ZajeFqhviU56x-sIsqs4fRQtaOkhgLH-"
            + "0xo8te1hA0PvPUY7BXD8Q2NKydZY4BwMK1-SwPmx6bKDmtz1h8VqU12CX_JHhqCjH2ScrF4uM7WQi2zbpoahc4qGOORFVQlhAvmNmrOx"
            + "Vc3anGkUPhil59g5kK47a_BBOr0aReEu0gkXz158JPNH2MdVSF64vnzDxfZuhuYquReAkYeHbm94SH4FnL2lzc3Vlcg",
        disclosed: [
            "@context": ["https://www.w3.org/ns/credentials/v2", "https://w3id.org/citizenship/v4rc1"],
            "type": ["VerifiableCredential", "EmploymentAuthorizationDocumentCredential"],
            "issuer": [
                "id": "did:key:zDnaegE6RR3atJtHKwTRTWHsJ3kNHqFwv7n9YjTgmU7TyfU76",
                "image": image("NgUPr/HwADaAIhG61j/A"),
            ],
            "validFrom": "2019-12-03T00:00:00Z",
            "validUntil": "2029-12-03T00:00:00Z",
            "credentialSubject": [
                "type": ["Person", "EmployablePerson"],
                "birthCountry": "Bahamas",
            ],
        ],
        derived: "u2V0BhVhAuNxVr-tkJ6mQ6dYMDTY7ZUMG2ScD5QNiEMopYZ2O0gQZS6PYbjHNvJn07p1fJfDMHB9E9fo5q-yaUM31GbRX4FgjgCQ"
            + "CKnL"
            + "OGbY_FuM-ASpSkkOxsIR2E8n7Ml2q1UQ6tEwzi5OGWED9kexIs1JJZfehRT6f-gZwVOym99YzioRSXrMoi7DK96llHwL-4U1tM-4Weaq"
            + "IKDSMzFdOGU1_V_yovjVMGzD3WEDJLm6l9lNDxwSslFDaTVX4c0KCm5utevrOgwCgh5vJly7Eh57ruq_9mtnj-R0pGXHI_-XXaEl9Yvo"
            + "nJWp-A7-ZWEArZtKW8tCf8oDUzewdArbDgGXtNsmbbbQKmoAPT66kYYfHtCxssjK1EDvIhEX14fMsiWkgcVRvMWqDbNMal5-NWEAJ6R-"
            + "J39CiUvealwyuxVgUzVcKjkHsKsJcM72K_keacLjnRNNjvH2qMTYl0MtMHqjGTIdXeDXpt0FrRhW7gt75WECxgZhu8s-3e3HyfPtDZbi"
            + "GB5nZ6Ew99is4YzGSUNV6kdQpyxUScSLDb9NKkuoHRbSmQUVMVhxVw3dB7iR6hmJkWEAT0Cqcrw2WufvsOX1PqtkOeMVtDL2TMiTVi1y"
            + "BYj41cbIqoVvErSAcNk41Znk8ndqcmD6ZZfR8fOX_bhtCSE3UogBYINy79kKRYKPmAHoHNXEECliRVtrBI0BehX7mdFRKDCh4AVgg4YI"
            + "OZn1MHES1Z4Ij2hWZG3R4dEYBqg5fHTyDEvYhC3-EAAQFBw"
    )

    /// Section A.8.
    private static let residence = SelectiveDisclosureFigures(
        testDescription: "A.8",
        document: [
            "@context": ["https://www.w3.org/ns/credentials/v2", "https://w3id.org/citizenship/v4rc1"],
            "type": ["VerifiableCredential", "PermanentResidentCardCredential"],
            "issuer": [
                "id": "did:key:zDnaeTHxNEBZoKaEo6PdA83fq98ebiFvo3X273Ydu4YmV96rg",
                "image": image("P4z/DiPwAG0ALnwgz64Q"),
            ],
            "name": "Permanent Resident Card",
            "description": "Permanent Resident Card from Government of Utopia.",
            "credentialSubject": [
                "type": ["PermanentResident", "Person"],
                "givenName": "JANE",
                "familyName": "SMITH",
                "gender": "Female",
                "image": image("P4v43hPwAHIgK1v4tX6w"),
                "residentSince": "2015-01-01",
                "commuterClassification": "C1",
                "birthCountry": "Arcadia",
                "birthDate": "1978-07-17",
                "permanentResidentCard": [
                    "type": ["PermanentResidentCard"],
                    "identifier": "83627465",
                    "lprCategory": "C09",
                    "lprNumber": "999-999-999",
                ],
            ],
            "validFrom": "2024-12-16T00:00:00Z",
            "validUntil": "2025-12-16T23:59:59Z",
        ],
        proofHash: "9c5c9b189f06cfa9d9f21a838ccb9b04316f07ad1a517bfd4955ee28c6a8229c",
        mandatoryHash: "b76d8d5bf67d27f51597519d19d95809c75e35212cc65291bd71bbe36007f979",
        statementsDigest: "dc4cf0456ec38f442b67dadfd2d3e2faa03fcc95d3c5b062d7967d39bc785d80",
        base: "u2V0AhVhAHADSALdqTIftV6rg8JpqBetOJUiYhCp1jTsAaVF-qJd_mhGLTcwXvsM-n570G4Pc3glX3AhkP1RsjKI2DRsfL1gjgCQCKnL"
            + "OGbY_FuM-ASpSkkOxsIR2E8n7Ml2q1UQ6tEwzi5NYIAARIjNEVWZ3iJmqu8zd7v8AESIzRFVmd4iZqrvM3e7_lFhA_ZHsSLNSSWX3oUU"
            + "-n_oGcFTspvfWM4qEUl6zKIuwyvepZR8C_uFNbTPuFnmqiCg0jMxXThlNf1f8qL41TBsw91hANWjhQCr2cssaTDYO1wMMqLGnRO7TxFc"
            + "ndOltI-OokNsUjejb0GWUJEooP0YkelQOeNFHieDgxk7pa25ThjcHvFhAAI-ytGfXsqRvFnJ1Mq4y5AJ_x3RtR4gVwzLQpcRgIQMb9ys"
            + "gsINRZuIdDTtQptFddfMN8U65scoQr1IWRFZIN1hAOmJjWQq3-8Tl73vGw_a5zdipbHxNmh8SBhIhPKOaUPOde1bWNl6tYFS9vkuXGyd"
            + "p1hhBo_cjanQ05fGw9uLo_FhAG5IuqZeRZJRkhJE3MIS8cd8f4JGGZQIfUwgptKOH7MtIYw92AV2jagebOIL2_3Cj-HrLznhgjmaGfls"
            + "vwx34L1hAJw-DE5_iHqbLIXbmhVWA99w_ZpTwqz77cj7ceETDdtLjVmte4WdINKjmnRl6rnk-E6ijVUI0MaONqkQra0QK2lhAAQaJTlh"
            + "QpT1DBusjf1KxFXniWRaqqXrk-R_SWL04BqbiRENgnUaXklmLF71U2hWVuCZu-iCqruJxzhrqt8dAQlhA3chDChv4zbu26MHi3LQ03A2"
            + "1mrDFUBvX2s7p4sAjTiOZ7ZV2XWLvTKvw_oEX7jLyS4-MZNGVXd1DYiadlJMDXlhAoWubJ2Gom3lCihyLvxkhbk0HJxAiv5hn0RoAVaj"
            + "xmqlYMZbQEjStY6OQspce694K50glhZNQAnepDw10_SFk8VhAxrirWhOXcO7y_avMJK5j-9-TolAjjffyniyQVZHmYOj8h_dKxT66GP4"
            + "Eh8bv_uu_jJ5NB11a6Rsu14QsZ-C0KVhA5-5CCqAnukZxuSbCnixXT5RGFmCgs9bIKMzlAxTZ4eTDRu0Rk1Kt9hQcZuL85KLLdIbD-Bz"
            + "ELjiKX5IShWd9lFhAjMYXlVg4vJX4ScingpVTdLrxUXJ-jRLltNCiALQG3Ng52-XV92DMOwK9ZQgdkVE4y_FIRrBuiYkW2OMMclqqX1h"
            + "A4Q-EnQUsbeeqJFnZNVKsXqLr9S0uTsYlexBlRzQGZVOgnkGL7xFU9K-flCxLXMCtWjbqN1jIWNYMrWiXE5jtf1hArMCwuJE9qQQ_3xt"
            + "bGawIox3ICeEoEov5_eBVjToFypGYxJwVKjpV5sOmqwvVlzbL4eDFtDr4PBp6dTpFKgJBtVhAKq38O_ZlZ0xZU3mIQTzD_ZRVNlAapvp"
            + "UG7Arw5j1DRJSK1J3XTmSGh7TuMF7TJx_QYlzubCPb-4dYOnkiQThwlhA5B_LA6AQOYwaCokQPbqmH2BugVSOcjeiayCKxA1Xh2ZL127"
            + "EpotryXqtDncaXohEk1AcWqUqrddP4Rgb7W1NblhAuWONE7xMGuy5h-D3E-9eCpKQz2nLGC9IwnYVMKXWCV259BlucGg1vzVJLSMhW5t"
            + "QYyJWrGBfdN8BxVFEhjvyAlhA1U0AVrJ5oXxZG9hYABT4nIzaviDIDYT3wTfEo2-XhQ3QgD_W8dcIFKC1jc6dUPMBksmA1bxFHeqaZWn"
            + "5DrXYuFhApnisYsVBbQ6TudvT76mt1MHhp55nB7o9gx_8EZ9oN8GEp2UjQMuKYgBPRZyQUGe5zAP0OzxnegIu6rHX1yQ8BVhAY3MMQgE"
            + "KysMjkdctT3VbCFiOHCiauT4qLC2aXYWm09Bv3rOZOfYU77SzGRlmuub1AO5EJnrkSZDzC0TmySlDtIFnL2lzc3Vlcg",
        disclosed: [
            "@context": ["https://www.w3.org/ns/credentials/v2", "https://w3id.org/citizenship/v4rc1"],
            "type": ["VerifiableCredential", "PermanentResidentCardCredential"],
            "issuer": [
                "id": "did:key:zDnaeTHxNEBZoKaEo6PdA83fq98ebiFvo3X273Ydu4YmV96rg",
                "image": image("P4z/DiPwAG0ALnwgz64Q"),
            ],
            "validFrom": "2024-12-16T00:00:00Z",
            "validUntil": "2025-12-16T23:59:59Z",
            "credentialSubject": [
                "type": ["PermanentResident", "Person"],
                "birthCountry": "Arcadia",
            ],
        ],
        derived: "u2V0BhVhAHADSALdqTIftV6rg8JpqBetOJUiYhCp1jTsAaVF-qJd_mhGLTcwXvsM-n570G4Pc3glX3AhkP1RsjKI2DRsfL1gjgCQ"
            + "CKnL"
            + "OGbY_FuM-ASpSkkOxsIR2E8n7Ml2q1UQ6tEwzi5OGWED9kexIs1JJZfehRT6f-gZwVOym99YzioRSXrMoi7DK96llHwL-4U1tM-4Weaq"
            + "IKDSMzFdOGU1_V_yovjVMGzD3WEA1aOFAKvZyyxpMNg7XAwyosadE7tPEVyd06W0j46iQ2xSN6NvQZZQkSig_RiR6VA540UeJ4ODGTul"
            + "rblOGNwe8WEDdyEMKG_jNu7boweLctDTcDbWasMVQG9fazuniwCNOI5ntlXZdYu9Mq_D-gRfuMvJLj4xk0ZVd3UNiJp2UkwNeWEDVTQB"
            + "WsnmhfFkb2FgAFPicjNq-IMgNhPfBN8Sjb5eFDdCAP9bx1wgUoLWNzp1Q8wGSyYDVvEUd6pplafkOtdi4WECmeKxixUFtDpO529Pvqa3"
            + "UweGnnmcHuj2DH_wRn2g3wYSnZSNAy4piAE9FnJBQZ7nMA_Q7PGd6Ai7qsdfXJDwFWEBjcwxCAQrKwyOR1y1PdVsIWI4cKJq5PiosLZp"
            + "dhabT0G_es5k59hTvtLMZGWa65vUA7kQmeuRJkPMLRObJKUO0ogBYINy79kKRYKPmAHoHNXEECliRVtrBI0BehX7mdFRKDCh4AVggVkU"
            + "uBrlOaELGVQWJD4M_qW5bcKEHWGNbOrPA_qAOKKyEAAQFBw"
    )
}
