import CredentialServing
import CryptoCore
import IRMAMessages
import IdemixCore
import KeyshareServer
import Testing

@Suite struct ConfigurationTests {
    @Test(arguments: [
        ("db_type", "mysql"), ("DB-TYPE", "MySQL"), ("db_type", "oracle"),
    ])
    func refusesWhatItHasNoPartForByName(name: String, value: String) {
        let error = #expect(throws: KeyshareServerError.self) {
            try UnsupportedKeyshareSettings.refuse(in: [(name: "url", value: "x"), (name: name, value: value)])
        }
        #expect(error?.code == .unsupportedSetting && error?.path == [name])
        if value.lowercased() == "mysql" { #expect(error?.message.contains("MySQL") == true) }
    }

    @Test func takesWhatItHas() throws {
        let settings = [
            ("db_type", "postgres"), ("db_type", "SQLite"), ("db_type", "memory"), ("db_str", "postgresql://"),
            ("jwt_key_id", "0"), ("jwt_privkey_file", "key.pem"), ("storage_primary_key_file", "key"),
            ("storage_fallback_keys_dir", "keys"), ("keyshare_attribute", "a.b.c.d"),
            ("email_server", "localhost:25"), ("default_language", "en"), ("login_url", "https://example.com"),
        ]
        try UnsupportedKeyshareSettings.refuse(in: settings.map { (name: $0.0, value: $0.1) })
    }

    private func refusal(
        _ options: KeyshareServiceOptions,
        signer: (any Signer)? = nil
    ) throws -> KeyshareServerError? {
        do {
            _ = try KeyshareService(
                storageKeys: StorageKeyring(writing: .random(id: 1)),
                signer: try signer ?? TestKeys.signer.get(),
                keyID: 0,
                accounts: MemoryKeyshareAccountStore(),
                sessions: MemorySessionStore(),
                issuerKeys: { KeyshareIssuerKeys([:]) },
                loginAttribute: LoginAttribute("a.b.c.d"),
                loginAttributeIssuer: RecordingIssuer(),
                options: options
            )
            return nil
        } catch let error as KeyshareServerError {
            return error
        }
    }

    @Test func refusesNumbersOutOfTheirRange() throws {
        #expect(try refusal(.default) == nil)
        let wrong: [(KeyshareServiceOptions, String)] = [
            (KeyshareServiceOptions(issuer: ""), "issuer"),
            (KeyshareServiceOptions(tokenLifetime: 0), "tokenLifetime"),
            (KeyshareServiceOptions(tokenLifetime: .max), "tokenLifetime"),
            (KeyshareServiceOptions(challengeLifetime: 0), "challengeLifetime"),
            (KeyshareServiceOptions(commitmentLifetime: 601), "commitmentLifetime"),
            (KeyshareServiceOptions(maximumKeys: 0), "maximumKeys"),
            (KeyshareServiceOptions(concurrentPINs: 0), "concurrentPINs"),
            (KeyshareServiceOptions(waitingPINs: -1), "waitingPINs"),
        ]
        for (options, name) in wrong {
            let error = try refusal(options)
            #expect(error?.code == .invalidConfiguration && error?.path == [name], "\(name)")
        }
    }

    @Test func refusesSignersOfOtherAlgorithms() throws {
        let signer = try SoftwareSigner(PrivateKey.generate(.p256))
        #expect(try refusal(.default, signer: signer)?.code == .invalidConfiguration)
        let pss = try SoftwareSigner(PrivateKey.generateRSA(bits: 2048), algorithm: .rsaPSSSHA256)
        #expect(try refusal(.default, signer: pss)?.code == .invalidConfiguration)
    }

    @Test func refusesNamesThatAreNoAttribute() {
        for name: AttributeIdentifier in ["a.b.c", "a.b", "", "a.b.c.d.e", "a..c.d"] {
            let error = #expect(throws: KeyshareServerError.self) { _ = try LoginAttribute(name) }
            #expect(error?.code == .invalidConfiguration)
        }
        for validity: Int64 in [0, -1, .max] {
            let error = #expect(throws: KeyshareServerError.self) {
                _ = try LoginAttribute("a.b.c.d", validity: validity)
            }
            #expect(error?.code == .invalidConfiguration)
        }
    }

    /// A scheme without a keyshare server, or of another one, has no keys here.
    @Test func takesKeysOfItsOwnSchemesAlone() throws {
        let key = try TestKeys.issuers.get()[0].publicKey
        let signer = try TestKeys.signer.get().publicKey
        func scheme(_ name: String, server: String?) throws -> IRMAScheme {
            let id = SchemeIdentifier(name)
            return try IRMAScheme(
                SchemeDescription(id: id, url: "https://example.com/\(name)", isDemo: true, keyshareServer: server),
                issuers: [IssuerDescription(id: IssuerIdentifier("\(name).bank"))],
                credentialTypes: [],
                publicKeys: [IssuerIdentifier("\(name).bank"): [key]],
                keyshareKeys: server == nil ? [:] : [0: signer]
            )
        }
        let snapshot = try SchemeSnapshot([
            scheme("own", server: "https://kss.example"), scheme("other", server: "https://kss.example"),
            scheme("none", server: nil),
        ])
        let keys = KeyshareIssuerKeys(of: ["own", "none"], in: snapshot)
        func find(_ issuer: String, _ counter: UInt) -> Bool {
            keys.publicKey(KeyshareKeyIdentifier(issuer: issuer, counter: counter)) != nil
        }
        #expect(find("own.bank", 1))
        #expect(!find("own.bank", 2) && !find("own.shop", 1) && !find("own", 1) && !find("own.bank.x", 1))
        #expect(!find("other.bank", 1) && !find("none.bank", 1) && !find("", 1))
    }
}
