public import JSONKit

extension IdemixProofList: IdemixJSON {
    /// Reads an array of proofs; `null` is an empty list.
    public init(json: JSONValue) throws(IdemixError) {
        self.init(try [IdemixProof](json: json))
    }

    /// The proofs as an array.
    public func json() throws(IdemixError) -> JSONValue { try proofs.json() }
}

extension IdemixProof: IdemixJSON {
    /// Reads a proof: a disclosure if it has `A`, else a commitment if it has `U`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        if try members.value("A") != nil {
            self = .disclosure(try IdemixDisclosureProof(json: json))
        } else if try members.value("U") != nil {
            self = .issuance(try IssuanceCommitmentProof(json: json))
        } else {
            throw IdemixError(.malformedJSON, "a proof has A or U")
        }
    }

    /// The proof as an object.
    public func json() throws(IdemixError) -> JSONValue {
        switch self {
        case .disclosure(let proof): try proof.json()
        case .issuance(let proof): try proof.json()
        }
    }
}

extension IdemixDisclosureProof: IdemixJSON {
    /// Reads the object
    /// `{"c", "A", "e_response", "v_response", "a_responses", "a_disclosed", "nonrev_proof"?, "rangeproofs"?}`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            challenge: try members.integer("c"),
            A: try members.integer("A"),
            eResponse: try members.integer("e_response"),
            vResponse: try members.integer("v_response"),
            attributeResponses: try members.integers("a_responses"),
            disclosedAttributes: try members.integers("a_disclosed", characters: BigInteger.maximumAttributeCharacters),
            nonRevocation: try members.optional("nonrev_proof") { json throws(IdemixError) in
                try NonRevocationProof(json: json)
            },
            rangeProofs: try members.indexed("rangeproofs") { json throws(IdemixError) in
                try json.list { json throws(IdemixError) in try RangeProof(json: json) }
            }
        )
    }

    /// The proof as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("c", challenge)
        try object.write("A", A)
        try object.write("e_response", eResponse)
        try object.write("v_response", vResponse)
        try object.write("a_responses", indexed: attributeResponses)
        try object.write("a_disclosed", indexed: disclosedAttributes)
        try object.write("nonrev_proof", ifPresent: nonRevocation)
        guard !rangeProofs.isEmpty else { return .object(object) }
        var ranges = JSONObject()
        for (index, proofs) in rangeProofs.sorted(by: { $0.key < $1.key }) {
            try ranges.write(String(index), list: proofs)
        }
        object["rangeproofs"] = .object(ranges)
        return .object(object)
    }
}

extension IssuanceCommitmentProof: IdemixJSON {
    /// Reads the object `{"U", "c", "v_prime_response", "s_response", "m_user_responses"?}`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            challenge: try members.integer("c"),
            U: try members.integer("U"),
            vPrimeResponse: try members.integer("v_prime_response"),
            secretKeyResponse: try members.integer("s_response"),
            attributeResponses: try members.integers("m_user_responses")
        )
    }

    /// The proof as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("U", U)
        try object.write("c", challenge)
        try object.write("v_prime_response", vPrimeResponse)
        try object.write("s_response", secretKeyResponse)
        if !attributeResponses.isEmpty { try object.write("m_user_responses", indexed: attributeResponses) }
        return .object(object)
    }
}

extension NonRevocationProof: IdemixJSON {
    /// Reads the object `{"C_r", "C_u", "responses": {"alpha"?, "beta", "delta", "epsilon", "zeta"}, "sacc"}`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        self.init(
            Cr: try members.integer("C_r"),
            Cu: try members.integer("C_u"),
            responses: try members.required("responses") { json throws(IdemixError) in
                let responses = try JSONMembers(json)
                return Responses(
                    alpha: try responses.optional("alpha") { json throws(IdemixError) in
                        try BigInteger(json: json)
                    },
                    beta: try responses.integer("beta"),
                    delta: try responses.integer("delta"),
                    epsilon: try responses.integer("epsilon"),
                    zeta: try responses.integer("zeta")
                )
            },
            signedAccumulator: try members.required("sacc") { json throws(IdemixError) in
                try SignedAccumulator(json: json)
            }
        )
    }

    /// The proof as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var responses = JSONObject()
        try responses.write("alpha", ifPresent: self.responses.alpha)
        try responses.write("beta", self.responses.beta)
        try responses.write("delta", self.responses.delta)
        try responses.write("epsilon", self.responses.epsilon)
        try responses.write("zeta", self.responses.zeta)
        var object = JSONObject()
        try object.write("C_r", Cr)
        try object.write("C_u", Cu)
        object["responses"] = .object(responses)
        try object.write("sacc", signedAccumulator)
        return .object(object)
    }
}

extension RangeProof: IdemixJSON {
    /// Reads the object `{"Cs", "ds", "vs", "v5", "l_d", "sign", "a", "k"}`.
    public init(json: JSONValue) throws(IdemixError) {
        let members = try JSONMembers(json)
        func integers(_ name: String) throws(IdemixError) -> [BigInteger] {
            try members.list(name) { json throws(IdemixError) in try BigInteger(json: json) }
        }
        let sign: Int = try members.number("sign")
        guard let relation = RangeStatement.Relation(rawValue: sign) else {
            throw IdemixError(.malformedJSON, "the sign is neither 1 nor -1", path: ["sign"])
        }
        self.init(
            commitments: try integers("Cs"),
            rootResponses: try integers("ds"),
            hiderResponses: try integers("vs"),
            hiderSumResponse: try members.integer("v5"),
            rootBits: try members.number("l_d"),
            statement: RangeStatement(relation, try members.integer("k"), factor: try members.number("a"))
        )
    }

    /// The proof as an object.
    public func json() throws(IdemixError) -> JSONValue {
        var object = JSONObject()
        try object.write("Cs", list: commitments)
        try object.write("ds", list: rootResponses)
        try object.write("vs", list: hiderResponses)
        try object.write("v5", hiderSumResponse)
        object["l_d"] = .integer(rootBits)
        object["sign"] = .integer(statement.relation.rawValue)
        object["a"] = .integer(statement.factor)
        try object.write("k", statement.bound)
        return .object(object)
    }
}
