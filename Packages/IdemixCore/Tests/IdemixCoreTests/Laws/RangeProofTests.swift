import CryptoCore
import IdemixCore
import TestSupport
import Testing

@Suite struct RangeProofTests {
    let world: TestWorld
    let credential: IdemixCredential
    /// The integer at index 2.
    let m = BigInteger(1_000)

    init() throws {
        world = try TestWorld()
        credential = try world.issue([try TestWorld.attributes([])[0], 1_000, BigInteger.powerOfTwo(255) + 5])
    }

    private func prove(
        _ statements: [Int: [RangeStatement]],
        squares: RangeStatement.Squares = .four
    ) throws -> IdemixProofList {
        let builder = IdemixProofListBuilder(using: world.randomness)
        try builder.add(IdemixDisclosureRequest(credential, disclosing: [], statements: statements, squares: squares))
        return try builder.prove(nonce: 42)
    }

    private func verify(
        _ list: IdemixProofList,
        _ statements: [Int: [RangeStatement]]
    ) -> Verification<VerifiedIdemixProofList> {
        let expectation = IdemixDisclosureExpectation(publicKey: world.publicKey, statements: statements)
        return list.verify(expecting: [.disclosure(expectation)], nonce: 42)
    }

    @Test(arguments: [RangeStatement.Squares.four, .three], [0, 1, 2, 500, 994, 995, 996, 997, 998, 999, 1_000])
    func provesLowerBounds(squares: RangeStatement.Squares, bound: Int) throws {
        let statements = [2: [RangeStatement(.atLeast, BigInteger(bound))]]
        let verdict = verify(try prove(statements, squares: squares), statements)
        #expect(verdict.verified != nil, "\(String(describing: verdict.refusal))")
    }

    @Test(arguments: [RangeStatement.Squares.four, .three], [1_001, 1_002, 1_003, 5_000_000])
    func provesUpperBounds(squares: RangeStatement.Squares, bound: Int) throws {
        let statements = [2: [RangeStatement(.atMost, BigInteger(bound))]]
        let verdict = verify(try prove(statements, squares: squares), statements)
        #expect(verdict.verified != nil, "\(String(describing: verdict.refusal))")
    }

    @Test func provesSeveralStatementsWithFactorsAndLongNumbers() throws {
        let statements: [Int: [RangeStatement]] = [
            2: [
                RangeStatement(.atMost, 1_000), RangeStatement(.atLeast, 2_999, factor: 3),
                RangeStatement(.atMost, 5_000_000_000_000, factor: .max), RangeStatement(.atLeast, -5),
            ],
            3: [RangeStatement(.atLeast, 12), RangeStatement(.atMost, .powerOfTwo(255) + 5)],
        ]
        let verdict = verify(try prove(statements), statements)
        #expect(verdict.verified != nil, "\(String(describing: verdict.refusal))")
    }

    /// The search for squares ends: with a proof that holds, if the one number drawn happens to lead to it, or with an
    /// error.
    @Test(arguments: [RangeStatement.Squares.four, .three])
    func endsWithASourceThatRepeatsItself(squares: RangeStatement.Squares) throws {
        var failures = 0
        for byte in [0, 1, 0x5a, 0xff] as [UInt8] {
            for bound in [1, 998] {
                let difference = BigInteger.powerOfTwo(70) + BigInteger(bound)
                let statements = [3: [RangeStatement(.atLeast, BigInteger.powerOfTwo(255) + 5 - difference)]]
                let builder = IdemixProofListBuilder(using: ConstantSource(byte: byte))
                do throws(IdemixError) {
                    let request = try IdemixDisclosureRequest(
                        credential,
                        disclosing: [],
                        statements: statements,
                        squares: squares
                    )
                    try builder.add(request)
                    #expect(verify(try builder.prove(nonce: 42), statements).verified != nil)
                } catch {
                    #expect(error.code == .randomnessFailed, "\(error)")
                    failures += 1
                }
            }
        }
        #expect(failures > 0)
    }

    @Test func aStrongerProofServes() throws {
        let list = try prove([2: [RangeStatement(.atLeast, 900)]])
        #expect(verify(list, [2: [RangeStatement(.atLeast, 800)]]).verified != nil)
        for other in [
            RangeStatement(.atLeast, 901), RangeStatement(.atMost, 900), RangeStatement(.atLeast, 900, factor: 2),
        ] {
            #expect(verify(list, [2: [other]]).failedCheck == .unrequestedProofs)
            #expect(verify(list, [2: [other, RangeStatement(.atLeast, 900)]]).failedCheck == .requiredClaims)
        }
    }

    @Test func refusesRangeProofsThatWereNotAskedFor() throws {
        let stated = [RangeStatement(.atLeast, 900)]
        let list = try prove([2: stated])
        #expect(verify(list, [:]).failedCheck == .unrequestedProofs)
        #expect(verify(list, [3: [RangeStatement(.atLeast, 1)]]).failedCheck == .unrequestedProofs)
        #expect(verify(list, [2: stated, 3: [RangeStatement(.atLeast, 1)]]).failedCheck == .requiredClaims)
        let proof = try list.firstDisclosure()
        let own = try #require(proof.rangeProofs[2]?.first)
        func failedCheck(_ proofs: [Int: [RangeProof]], _ statements: [RangeStatement]) -> Check? {
            verify(IdemixProofList([.disclosure(proof.changed(rangeProofs: proofs))]), [2: statements]).failedCheck
        }
        #expect(failedCheck([2: [own, own]], stated) == .unrequestedProofs)
        #expect(failedCheck([2: [own], 3: []], stated) == .unrequestedProofs)
        // One proof may serve several statements; each proof serves one of them.
        #expect(failedCheck([2: [own]], stated + [RangeStatement(.atLeast, 800)]) == nil)
        #expect(failedCheck([2: [own, own]], stated + [RangeStatement(.atLeast, 800)]) == .proof)
        let both = try prove([2: stated + [RangeStatement(.atMost, 5_000)]])
        #expect(verify(both, [2: stated + stated]).failedCheck == .unrequestedProofs)
    }

    @Test func refusesFalseStatements() {
        #expect(code { _ = try prove([2: [RangeStatement(.atLeast, 1_001)]]) } == .unprovableStatement)
        #expect(code { _ = try prove([2: [RangeStatement(.atMost, 999)]]) } == .unprovableStatement)
        #expect(code { _ = try prove([2: [RangeStatement(.atMost, 1_000)]], squares: .three) } == .unprovableStatement)
        #expect(
            code { _ = try prove([2: [RangeStatement(.atLeast, 5, factor: 2)]], squares: .three) }
                == .unprovableStatement
        )
        #expect(code { _ = try prove([2: [RangeStatement(.atLeast, 0, factor: 0)]]) } == .unprovableStatement)
        #expect(code { _ = try prove([2: [RangeStatement(.atMost, .powerOfTwo(256))]]) } == .unprovableStatement)
    }

    @Test func eachChangedNumberOfTheProofFails() throws {
        let statements = [2: [RangeStatement(.atLeast, 900)]]
        let proof = try prove(statements).firstDisclosure()
        let own = try #require(proof.rangeProofs[2]?.first)
        let parameters = world.publicKey.parameters
        func failedCheck(
            commitments: [BigInteger]? = nil,
            roots: [BigInteger]? = nil,
            hiders: [BigInteger]? = nil,
            sum: BigInteger? = nil,
            rootBits: Int? = nil,
            statement: RangeStatement? = nil
        ) -> Check? {
            let changed = RangeProof(
                commitments: commitments ?? own.commitments,
                rootResponses: roots ?? own.rootResponses,
                hiderResponses: hiders ?? own.hiderResponses,
                hiderSumResponse: sum ?? own.hiderSumResponse,
                rootBits: rootBits ?? own.rootBits,
                statement: statement ?? own.statement
            )
            let asked = [2: [statement ?? RangeStatement(.atLeast, 900)]]
            return verify(IdemixProofList([.disclosure(proof.changed(rangeProofs: [2: [changed]]))]), asked).failedCheck
        }
        func replacing(_ numbers: [BigInteger], _ number: BigInteger) -> [BigInteger] { numbers.dropLast() + [number] }
        let excess = parameters.challenge + parameters.statisticalZeroKnowledge + 1
        #expect(failedCheck() == nil)
        #expect(failedCheck(commitments: Array(own.commitments.dropLast())) == .unrequestedProofs)
        #expect(failedCheck(commitments: own.commitments + [4]) == .unrequestedProofs)
        #expect(failedCheck(roots: Array(own.rootResponses.dropLast())) == .groupElements)
        #expect(failedCheck(roots: own.rootResponses + [1]) == .groupElements)
        #expect(failedCheck(hiders: []) == .groupElements)
        #expect(failedCheck(commitments: replacing(own.commitments, 1)) == .groupElements)
        #expect(failedCheck(commitments: replacing(own.commitments, 2)) == .proof)
        #expect(failedCheck(roots: replacing(own.rootResponses, .powerOfTwo(128 + excess))) == .groupElements)
        #expect(failedCheck(roots: replacing(own.rootResponses, .powerOfTwo(128 + excess) - 1)) == .proof)
        #expect(failedCheck(roots: replacing(own.rootResponses, -1)) == .groupElements)
        #expect(failedCheck(hiders: replacing(own.hiderResponses, .powerOfTwo(256 + excess))) == .groupElements)
        #expect(failedCheck(hiders: replacing(own.hiderResponses, 5)) == .proof)
        #expect(failedCheck(sum: .powerOfTwo(256 + 128 + 2 + excess)) == .groupElements)
        #expect(failedCheck(sum: .powerOfTwo(256 + 128 + 2 + excess) - 1) == .proof)
        #expect(failedCheck(sum: -1) == .groupElements)
        #expect(failedCheck(rootBits: 257) == .groupElements)
        #expect(failedCheck(rootBits: -1) == .groupElements)
        #expect(failedCheck(statement: RangeStatement(.atLeast, 901)) == .proof)
        #expect(failedCheck(statement: RangeStatement(.atMost, 900)) == .proof)
        #expect(failedCheck(statement: RangeStatement(.atLeast, .powerOfTwo(320))) == .groupElements)
        #expect(failedCheck(statement: RangeStatement(.atLeast, 900, factor: 0)) == .unrequestedProofs)
    }
}
