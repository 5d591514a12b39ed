#if Server
import CredentialServing
import ServingContracts
import Testing

@Suite(.timeLimit(.minutes(1)))
struct HummingbirdContractTests {
    @Test(arguments: LoopbackWorld.Kind.allCases, HTTPServingLaw.all)
    func keeps(_ kind: LoopbackWorld.Kind, _ law: HTTPServingLaw) async throws {
        await #expect(throws: Never.self) { try await law.check(LoopbackWorld(kind: kind)) }
    }
}
#endif
