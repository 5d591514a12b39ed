import JOSEKit
import JSONKit
import OID4VPMessages
import SDJWTKit
import Testing

struct PresentationRequestTests {
    private static let parameters: JSONObject = [
        "response_type": "vp_token", "response_mode": "direct_post", "response_uri": "https://v.example/post",
        "nonce": "n-0S6_WzA2Mj", "state": "s1",
        "dcql_query": ["credentials": [["id": "pid", "format": "dc+sd-jwt", "meta": [:]]]],
    ]

    private func read(
        _ changes: JSONObject,
        without removed: [String] = [],
        support: PresentationRequest.Support = PresentationRequest.Support(),
        source: PresentationRequest.MetadataSource = .request,
        options: RequestReadingOptions = .strict
    ) throws(OID4VPError) -> PresentationRequest {
        var members = Self.parameters
        for (name, value) in changes { members[name] = value }
        for name in removed { members[name] = nil }
        let parameters = AuthorizationParameters(members)
        let version = try OpenID4VPVersion(of: parameters)
        let target = try ResponseTarget(parameters, version: version, client: nil)
        return try PresentationRequest(
            parameters,
            version: version,
            target: target,
            metadataSource: source,
            support: support,
            options: options
        )
    }

    private func refuse(_ code: OID4VPError.Code, _ changes: JSONObject, without removed: [String] = []) {
        expect(code) { () throws(OID4VPError) in try read(changes, without: removed) }
    }

    @Test func readsValuesAndTheirText() throws {
        let query = try #require(Self.parameters["dcql_query"])
        #expect(try read([:]).query.dcql?.credentials.count == 1)
        #expect(try read(["dcql_query": .string(query.text())]).query.dcql?.credentials.count == 1)
        #expect(try read([:]).state == "s1")
    }

    @Test func refusesMalformedParameters() {
        refuse(.missingParameter, [:], without: ["response_type"])
        refuse(.unsupportedResponseType, ["response_type": "code"])
        refuse(.unsupportedResponseType, ["response_type": "vp_token id_token"])
        refuse(.missingParameter, [:], without: ["nonce"])
        refuse(.invalidParameter, ["nonce": ""])
        refuse(.invalidParameter, ["nonce": "a/b"])
        refuse(.invalidParameter, ["state": 1])
        refuse(.invalidParameter, ["dcql_query": "{"])
        refuse(.invalidQuery, ["dcql_query": []])
        refuse(.invalidParameter, ["client_metadata": []])
        refuse(.missingParameter, [:], without: ["response_mode"])
        refuse(.unsupportedResponseMode, ["response_mode": "carrier_pigeon"])
        refuse(.unsupportedResponseMode, ["response_mode": "dc_api"])
        refuse(.missingParameter, [:], without: ["response_uri"])
        refuse(.contradictoryParameters, ["redirect_uri": "https://v.example/cb"])
        for address in ["http://v.example", "https://a@v.example/", "https://v.example/#f", "v.example", ""] {
            #expect(throws: OID4VPError.self, "\(address)") { try read(["response_uri": .string(address)]) }
        }
        let addresses = [
            "javascript:alert(1)", "http://v.example", "data:x", "none", "app:a b", "app:a#b", "intent://v#Intent;end",
            "intent://v", "VBScript:x", "blob:https://v.example/1", "about:blank", "mailto:v@v.example",
            "wss://v.example",
        ]
        for address in addresses {
            #expect(throws: OID4VPError.self, "\(address)") {
                try read(
                    ["response_mode": "fragment", "redirect_uri": .string(address)],
                    without: ["response_uri"]
                )
            }
        }
        #expect((try? read(["response_mode": "fragment", "redirect_uri": "app:cb"], without: ["response_uri"])) != nil)
    }

    /// Drafts name the address by the client identifier, too.
    @Test(arguments: [OpenID4VPVersion.draft21, .draft23, .v1])
    func takesTheAddressOfTheClient(_ version: OpenID4VPVersion) throws {
        let scheme = version == .draft21 ? "redirect_uri" : nil
        let prefix = version == .draft21 ? "" : "redirect_uri:"
        let client = try ClientIdentifier(prefix + "https://v.example/post", scheme: scheme)
        for mode in ["direct_post", "fragment"] {
            let parameters = AuthorizationParameters(["response_mode": .string(mode)])
            let target = try ResponseTarget(parameters, version: version, client: client)
            #expect(target.address == "https://v.example/post")
        }
        expect(.missingParameter) { () throws(OID4VPError) in
            try ResponseTarget(AuthorizationParameters(["response_mode": "direct_post"]), version: version, client: nil)
        }
    }

    @Test func refusesTheAddressOfAnotherMode() {
        refuse(.contradictoryParameters, ["response_mode": "fragment", "redirect_uri": "app:cb"])
    }

    /// Members of drafts are ignored in 1.0, whatever they are (section 5.1).
    @Test func ignoresMetadataOfDrafts() throws {
        let members: [JSONObject] = [
            ["authorization_encrypted_response_enc": "A128GCM"], ["authorization_encrypted_response_alg": .null],
            ["authorization_signed_response_alg": ["ES256"]],
        ]
        for members in members {
            var current = members
            current["vp_formats_supported"] = ["dc+sd-jwt": [:]]
            #expect(try read(["client_metadata": .object(current)]).metadata?.members == current)
            refuse(.invalidMetadata, ["client_metadata": .object(members)])
            let changes: JSONObject = [
                "presentation_definition": ["id": "d", "input_descriptors": [["id": "i", "constraints": [:]]]],
                "client_metadata": .object(members),
            ]
            refuse(.invalidMetadata, changes, without: ["dcql_query"])
        }
    }

    @Test func keepsOpaqueTextUnderATolerance() throws {
        let options = RequestReadingOptions(tolerances: [.anyCharacters])
        let request = try read(["nonce": "a/b+c==", "state": "ü"], options: options)
        #expect(request.nonce == "a/b+c==" && request.state == "ü")
        #expect(request.deviations.map(\.path) == [["nonce"], ["state"]])
    }

    @Test func takesMetadataOfKnownClientsFromTheWallet() throws {
        let name: JSONObject = ["client_name": "Request"]
        expect(.metadataNotAllowed) { () throws(OID4VPError) in
            try read(["client_metadata": .object(name)], source: .wallet(nil))
        }
        let options = RequestReadingOptions(tolerances: [.metadataOfKnownClient])
        let request = try read(
            ["client_metadata": .object(name)],
            source: .wallet(["client_name": "Wallet"]),
            options: options
        )
        #expect(request.metadata?.clientName == "Wallet")
        #expect(request.deviations.map(\.tolerance) == ["metadataOfKnownClient"])
    }

    // MARK: Encryption

    private static let key: JSONValue = [
        "kty": "EC", "crv": "P-256", "use": "enc", "alg": "ECDH-ES", "kid": "1",
        "x": "YO4epjifD-KWeq1sL2tNmm36BhXnkJ0He-WqMYrp9Fk", "y": "Hekpm0zfK7C-YccH5iBjcIXgf6YdUvNUac_0At55Okk",
    ]

    private func encrypted(_ keys: [JSONValue], _ others: JSONObject = [:]) throws(OID4VPError) -> ResponseEncryption? {
        var metadata = others
        metadata["jwks"] = ["keys": .array(keys)]
        return try read(["response_mode": "direct_post.jwt", "client_metadata": .object(metadata)]).encryption
    }

    private func changing(_ changes: (String, JSONValue?)...) -> JSONValue {
        var members = Self.key.objectValue ?? [:]
        for (name, value) in changes { members[name] = value }
        return .object(members)
    }

    @Test func passesOverKeysThatCannotBeUsed() throws {
        let keys = [
            changing(("use", "sig")), changing(("alg", nil)), changing(("alg", "ECDH-1PU")), changing(("kty", "NEW")),
            changing(("crv", "P-999")), changing(("x", changing(("x", "AA"))["y"])), changing(("kid", "2")), Self.key,
        ]
        let encryption = try #require(try encrypted(keys))
        #expect(encryption.key.keyID == "2")
        #expect(encryption.encryption == .a128GCM)
        for key in keys.dropLast(2) {
            expect(.encryptionImpossible) { () throws(OID4VPError) in try encrypted([key]) }
        }
    }

    @Test func refusesUnsatisfiableEncryption() throws {
        refuse(.encryptionImpossible, ["response_mode": "direct_post.jwt"])
        expect(.encryptionImpossible) { () throws(OID4VPError) in try encrypted([]) }
        expect(.encryptionImpossible) { () throws(OID4VPError) in
            try encrypted([Self.key], ["encrypted_response_enc_values_supported": ["XC20P"]])
        }
        expect(.invalidMetadata) { () throws(OID4VPError) in try encrypted([changing(("d", "AA"))]) }
        expect(.invalidMetadata) { () throws(OID4VPError) in
            try encrypted([Self.key], ["authorization_encrypted_response_enc": "A128GCM"])
        }
        let list: JSONObject = ["encrypted_response_enc_values_supported": ["XC20P", "A256GCM", "A128GCM"]]
        #expect(try encrypted([Self.key], list)?.encryption == .a256GCM)
    }

    // MARK: Transaction data

    private func transaction(_ members: JSONObject) -> JSONValue {
        .string(Base64URL.encode(JSONValue.object(members).encoded()))
    }

    @Test func readsTransactionsOfKnownTypesAlone() throws {
        let support = PresentationRequest.Support(transactionData: ["payment": ["amount"]])
        func refuse(_ value: JSONValue) {
            expect(.invalidTransactionData) { () throws(OID4VPError) in
                try read(["transaction_data": value], support: support)
            }
        }
        let valid: JSONObject = ["type": "payment", "credential_ids": ["pid"], "amount": 5]
        let request = try read(["transaction_data": [transaction(valid)]], support: support)
        #expect(request.transactionData.first?.members["amount"] == 5)
        #expect(request.transactionData.map(\.text) == [transaction(valid).stringValue])
        func changed(_ name: String, _ value: JSONValue?) -> JSONValue {
            var members = valid
            members[name] = value
            return [transaction(members)]
        }
        for value in [
            changed("type", "other"), changed("type", nil), changed("other", 1), changed("credential_ids", []),
            changed("credential_ids", ["nope"]), changed("credential_ids", nil),
            changed("transaction_data_hashes_alg", ["md5"]), [], "x", [1], ["%%"], ["bm90IGpzb24"],
            [transaction(valid), "e30"],
        ] as [JSONValue] { refuse(value) }
        expect(.invalidTransactionData) { () throws(OID4VPError) in try read(["transaction_data": [transaction(valid)]])
        }
        let hashes = changed("transaction_data_hashes_alg", ["md5", "sha-384", "sha-256"])
        let entries = try read(["transaction_data": hashes], support: support).transactionData
        #expect(entries[0].hashAlgorithms == [.sha384, .sha256])
    }

    @Test func refusesTransactionsWithoutHolderBinding() {
        let query: JSONValue = [
            "credentials": [
                ["id": "pid", "format": "dc+sd-jwt", "meta": [:], "require_cryptographic_holder_binding": false]
            ]
        ]
        let data = transaction(["type": "payment", "credential_ids": ["pid"]])
        expect(.invalidTransactionData) { () throws(OID4VPError) in
            try read(
                ["dcql_query": query, "transaction_data": [data]],
                support: PresentationRequest.Support(transactionData: ["payment": []])
            )
        }
    }

    @Test func handsOnWhatTheVerifierSaysOfItself() throws {
        let info: JSONValue = [["format": "registration_cert", "data": "eyJ", "credential_ids": ["pid"]]]
        for name in ["verifier_info", "verifier_attestations"] {
            let entries = try read([name: info]).verifierInfo
            #expect(entries.map(\.format) == ["registration_cert"])
            #expect(entries[0].data == "eyJ" && entries[0].credentials == ["pid"])
            #expect("\(entries[0])" == "registration_cert for pid")
        }
        let general = try read(["verifier_info": [["format": "j\u{202e}wt", "data": "eyJ"]]]).verifierInfo
        #expect("\(general[0])" == #"j\u{202E}wt for all queries"#)
        refuse(.invalidParameter, ["verifier_info": []])
        refuse(.invalidParameter, ["verifier_info": "jwt"])
    }

    /// Attestations of the verifier that a wallet does not understand are ignored.
    @Test func leavesOutMalformedAttestations() throws {
        let malformed: [(JSONValue, [String])] = [
            (["format": "jwt"], ["verifier_info[1]", "data"]), (["data": "x"], ["verifier_info[1]", "format"]),
            (["format": "jwt", "data": 1], ["verifier_info[1]", "data"]),
            (["format": "jwt", "data": "x", "credential_ids": "pid"], ["verifier_info[1]", "credential_ids"]),
            ("eyJ", ["verifier_info[1]"]),
        ]
        for (element, path) in malformed {
            let request = try read(["verifier_info": [["format": "a", "data": "x"], element]])
            #expect(request.verifierInfo.map(\.format) == ["a"])
            #expect(request.deviations.map(\.tolerance) == ["ignoredVerifierInfo"])
            #expect(request.deviations.first?.path == path)
        }
        let many = JSONValue.array(Array(repeating: ["format": "jwt"], count: 65))
        refuse(.limitExceeded, ["verifier_info": many])
    }

    /// The wallet's capabilities decide, and not the credentials that it holds (section 8.5).
    @Test func refusesFormatsThatTheWalletDoesNotSupport() throws {
        let mdocs = PresentationRequest.Support(formats: [.mdoc])
        let error = #expect(throws: OID4VPError.self) { try read([:], support: mdocs) }
        #expect(error?.code == .formatsNotSupported)
        #expect(error?.authorizationCode == .formatsNotSupported)
        #expect(try read([:], support: PresentationRequest.Support(formats: [.olderSDJWT])).query.dcql != nil)
        #expect(try read([:]).query.dcql != nil)
        let taken: JSONObject = ["client_metadata": ["vp_formats_supported": ["ldp_vc": [:]]]]
        let sdJWTs = PresentationRequest.Support(formats: [.sdJWT])
        expect(.formatsNotSupported) { () throws(OID4VPError) in try read(taken, support: sdJWTs) }
        #expect(try read(taken).metadata != nil)
        // One of several queries is enough: sets may leave the other out.
        let two: JSONValue = [
            "credentials": [
                ["id": "a", "format": "mso_mdoc", "meta": [:]], ["id": "b", "format": "jwt_vc_json", "meta": [:]],
            ]
        ]
        #expect(try read(["dcql_query": two], support: mdocs).query.dcql?.credentials.count == 2)
    }

    @Test func comparesFormatsOfDefinitionsWithTheirEnvelopes() throws {
        let definition: JSONValue = [
            "id": "d", "format": ["ldp_vp": ["proof_type": ["Ed25519Signature2020"]]],
            "input_descriptors": [["id": "i", "constraints": ["fields": [["path": ["$.a"]]]]]],
        ]
        let changes: JSONObject = ["presentation_definition": definition]
        func refusal(_ formats: Set<CredentialFormat>) -> OID4VPError? {
            do throws(OID4VPError) {
                _ = try read(changes, without: ["dcql_query"], support: PresentationRequest.Support(formats: formats))
                return nil
            } catch {
                return error
            }
        }
        #expect(refusal([.linkedData]) == nil)
        #expect(refusal([.mdoc, .jwt])?.code == .formatsNotSupported)
    }

    @Test func givesEachErrorItsCode() {
        let expected: [(OID4VPError.Code, AuthorizationErrorCode)] = [
            (.malformed, .invalidRequest), (.unknownClient, .invalidClient), (.invalidScope, .invalidScope),
            (.unsupportedResponseType, .unsupportedResponseType), (.unsatisfied, .accessDenied),
            (.invalidRequestURIMethod, .invalidRequestURIMethod), (.invalidTransactionData, .invalidTransactionData),
        ]
        for (code, response) in expected {
            #expect(OID4VPError(code, "").authorizationCode == response)
            #expect(!response.fixedDescription.isEmpty)
        }
    }
}
